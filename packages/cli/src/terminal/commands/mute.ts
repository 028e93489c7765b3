import { compareSizes, sizeOf } from '../../editing/line-size.ts'
import { findNode } from '../../node-of.ts'
import { counted } from '../../output/amount.ts'
import type { SlashCommand } from './slash-command.ts'
import { lastExchange, lastNode } from './trunk-nodes.ts'

export const muteCommand = command('mute', 'keep the last exchange, or nodes, from the model')
export const unmuteCommand = command('unmute', 'put the last exchange, or nodes, back')

/** Without a node: the last prompt with its answer, since one without the other is seldom what is meant. */
function command(op: 'mute' | 'unmute', help: string): SlashCommand {
  const done = op === 'mute' ? 'Muted' : 'Unmuted'
  return {
    name: op,
    args: '[NODE …]',
    help,
    async run(actions, rest) {
      const { session } = actions
      lastNode(session)
      const named = rest.split(/\s+/).filter((word) => word !== '')
      const nodeIds =
        named.length === 0
          ? lastExchange(session)
          : [...new Set(named.map((text) => findNode(session.tree, text, session.leafId)))]
      const before = sizeOf(await session.line())
      const { entry, changedIds, warnings } = await session.edit({ operations: [{ op, nodeIds }] })
      if (entry === undefined) return actions.show(`Already ${done.toLowerCase()}; nothing was changed.`)
      const after = sizeOf(await session.line())
      await actions.reload()
      for (const { detail } of warnings) actions.warn(detail)
      actions.show(`${done} ${counted(changedIds.length, 'node')}. ${compareSizes(before, after)} /undo takes it back.`)
    },
  }
}
