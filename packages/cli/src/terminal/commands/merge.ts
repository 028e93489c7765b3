import { TreelineError } from '@treeline/core'
import { shortIds } from '../../drawing/short-ids.ts'
import { t } from '../../output/language.ts'
import { completeNodes } from './node-completion.ts'
import { findNodeHere } from './node-here.ts'
import type { SlashCommand } from './slash-command.ts'
import { splitWords } from './split-first.ts'
import { lastNode } from './trunk-nodes.ts'

const HOW = ['concat', 'interleave', 'ask'] as const

/** As `ask` costs money, it has to be said. One id alone is merged with the branch one is on. */
export const mergeCommand: SlashCommand = {
  name: 'merge',
  args: '[HOW] ID ID...',
  help: () => t('join branches; HOW is concat, interleave or ask'),
  complete: completeNodes('every', { words: HOW, list: 'ends' }),
  async run(actions, rest) {
    const { agent, session } = actions
    const words = splitWords(rest)
    const how = HOW.find((known) => known === words[0])
    const named = how === undefined ? words : words.slice(1)
    if (named.length === 0) {
      throw new TreelineError('bad_request', t('Say where the branches end: /merge ID ID. /branches lists them.'))
    }
    const ids = named.map((text) => findNodeHere(session, text))
    const sourceIds = ids.length === 1 ? [lastNode(session), ...ids] : ids
    if (how === 'ask') actions.show(t('Asking the model to bring them together …'))
    const { nodeId } = await agent.merge(session, { sourceIds, how: how ?? 'concat', signal: actions.signal })
    await actions.reload()
    const node = shortIds(session.tree)(nodeId)
    const count = sourceIds.length
    actions.show(t('Merged {count} branches into {node}; it goes on there. /undo takes it back.', { count, node }))
  },
}
