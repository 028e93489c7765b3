import { compareSizes, sizeOf } from '../../editing/line-size.ts'
import { nodesText } from '../../output/counted-words.ts'
import { inOneLine, t } from '../../output/language.ts'
import { completeNodes } from './node-completion.ts'
import { findNodeHere } from './node-here.ts'
import type { SlashCommand } from './slash-command.ts'
import { splitWords } from './split-first.ts'
import { lastExchange, lastNode } from './trunk-nodes.ts'

export const muteCommand = command('mute', {
  help: () => t('keep the last exchange, or nodes, from the model'),
  done: (nodes) => t('Muted {nodes}.', { nodes }),
  already: () => t('Already muted; nothing was changed.'),
})

export const unmuteCommand = command('unmute', {
  help: () => t('put the last exchange, or nodes, back'),
  done: (nodes) => t('Unmuted {nodes}.', { nodes }),
  already: () => t('Not muted; nothing was changed.'),
})

interface Texts {
  readonly help: () => string
  readonly done: (nodes: string) => string
  readonly already: () => string
}

/** Without a node: the last prompt with its answer, since one without the other is seldom what is meant. */
function command(op: 'mute' | 'unmute', { help, done, already }: Texts): SlashCommand {
  return {
    name: op,
    args: '[NODE ...]',
    help,
    complete: completeNodes('every', { list: op === 'mute' ? 'trunk' : 'muted' }),
    async run(actions, rest) {
      const { session } = actions
      lastNode(session)
      const named = splitWords(rest)
      const nodeIds =
        named.length === 0 ? lastExchange(session) : [...new Set(named.map((text) => findNodeHere(session, text)))]
      const before = sizeOf(await session.line())
      const { entry, changedIds, warnings } = await session.edit({ operations: [{ op, nodeIds }] })
      if (entry === undefined) return actions.show(already())
      const after = sizeOf(await session.line())
      await actions.reload()
      for (const { detail } of warnings) actions.warn(detail)
      const told = [done(nodesText(changedIds.length)), compareSizes(before, after), t('/undo takes it back.')]
      actions.show(inOneLine(told))
    },
  }
}
