import { TreelineError } from '@treeline/core'
import { shortIds } from '../../drawing/short-ids.ts'
import { findNode } from '../../node-of.ts'
import type { SlashCommand } from './slash-command.ts'
import { lastNode } from './trunk-nodes.ts'

const HOW = ['concat', 'interleave', 'ask'] as const

/** As `ask` costs money, it has to be said. One id alone is merged with the branch one is on. */
export const mergeCommand: SlashCommand = {
  name: 'merge',
  args: '[HOW] ID ID…',
  help: 'join branches; HOW is concat, interleave or ask',
  choices: HOW,
  async run(actions, rest) {
    const { agent, session } = actions
    const words = rest.split(/\s+/).filter((word) => word !== '')
    const how = HOW.find((known) => known === words[0])
    const named = how === undefined ? words : words.slice(1)
    if (named.length === 0) {
      const message = 'Say where the branches end: /merge ID ID. /branches lists them.'
      throw new TreelineError('bad_request', message)
    }
    const ids = named.map((text) => findNode(session.tree, text, session.leafId))
    const sourceIds = ids.length === 1 ? [lastNode(session), ...ids] : ids
    if (how === 'ask') actions.show('Asking the model to bring them together …')
    const { nodeId } = await agent.merge(session, { sourceIds, how: how ?? 'concat', signal: actions.signal })
    await actions.reload()
    const shown = shortIds(session.tree)(nodeId)
    actions.show(`Merged ${sourceIds.length} branches into ${shown}; it goes on there. /undo takes it back.`)
  },
}
