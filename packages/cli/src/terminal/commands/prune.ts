import { listFragments, TreelineError } from '@treeline/core'
import { shortIds } from '../../drawing/short-ids.ts'
import { compareSizes, sizeOf } from '../../editing/line-size.ts'
import { nodesText } from '../../output/counted-words.ts'
import { inOneLine, t } from '../../output/language.ts'
import { completeNodes } from './node-completion.ts'
import { findNodeHere } from './node-here.ts'
import type { SlashCommand } from './slash-command.ts'
import { splitWords } from './split-first.ts'
import { lastExchange, lastNode } from './trunk-nodes.ts'

/** As the key in /tree does: the node goes with all that follows it. Without a node, the last prompt with its answer. */
export const pruneCommand: SlashCommand = {
  name: 'prune',
  args: '[NODE]',
  help: () => t('cut off the last exchange, or NODE and below: /stash'),
  complete: completeNodes('first'),
  async run(actions, rest) {
    const { session } = actions
    lastNode(session)
    const [named, ...others] = splitWords(rest)
    if (others.length > 0) throw new TreelineError('bad_request', t('Give one node: /prune NODE.'))
    const nodeId = named === undefined ? lastExchange(session)[0]! : findNodeHere(session, named)
    const before = sizeOf(await session.line())
    const { entry, warnings } = await session.edit({ operations: [{ op: 'prune', nodeId, include: 'self' }] })
    const after = sizeOf(await session.line())
    await actions.reload()
    // Where it goes on is what was to be expected here.
    for (const { code, detail } of warnings) if (code !== 'active_leaf_moved') actions.warn(detail)
    const { nodeCount = 0 } = listFragments(session.tree).find(({ opId }) => opId === entry?.id) ?? {}
    const values = { nodes: nodesText(nodeCount), id: shortIds(session.tree)(nodeId) }
    const what = t('Cut off {nodes} and put them into the stash: {id}.', values)
    const how = t('/undo takes it back, /graft {id} hangs it in elsewhere.', values)
    actions.show(`${inOneLine([what, compareSizes(before, after)])}\n${how}`)
  },
}
