import { TreelineError } from '@treeline/core'
import { type Command, defineCommand } from '../args/command.ts'
import { findNode } from '../node-of.ts'
import { counted } from '../output/amount.ts'
import { paint } from '../output/style.ts'
import { typedName } from '../target.ts'
import { CHANGE_JSON, changeSession, inPlaceOption } from './change-session.ts'
import { nameNodes } from './name-nodes.ts'

/** `mute` and `unmute` are one command with two words for it. */
export function muteCommand(op: 'mute' | 'unmute'): Command {
  const [done, verb] = op === 'mute' ? ['Muted', 'leave out of the line'] : ['Unmuted', 'put back into the line']
  return defineCommand({
    positionals: [
      { name: 'FILE', help: 'the session: a path, an id, or a part of one', completes: 'session' },
      { name: 'NODE', help: `the nodes to ${verb}: ids, parts of ids, labels, or \`leaf\``, rest: true },
    ],
    options: {
      subtree: { type: 'boolean', help: 'also everything below them' },
      ancestors: { type: 'boolean', help: 'also everything above them, up to the root' },
      ...inPlaceOption,
    },
    details:
      op === 'mute'
        ? 'A muted node stays in the tree and keeps what hangs under it; only the model no longer gets it. Tool calls ' +
          'keep their results: what would be left without its counterpart is repaired in the line.'
        : 'Muted nodes are marked in `treeline tree`.',
    examples: [
      [`treeline ${op} 4f2a91c0 1a2b3c4d`, `${op} one node`],
      [`treeline ${op} 4f2a91c0 1a2b3c4d --subtree`, `${op} it and all that follows it`],
    ],
    json: CHANGE_JSON,
    async run({ args: [file, ...nodes], options, context }) {
      const { subtree, ancestors } = options
      if (subtree && ancestors) {
        throw new TreelineError('bad_request', 'Give --subtree or --ancestors, not both.')
      }
      const scope = subtree ? 'subtree' : ancestors ? 'ancestors' : 'nodes'
      return changeSession(context, { file, inPlace: options['in-place'] }, (target, opened) => {
        const name = typedName(opened, file)
        const nodeIds = [...new Set(nodes.map((text) => findNode(target, text, name)))]
        return {
          perform: (session) => session.edit({ operations: [{ op, nodeIds, scope }] }),
          already: `${nodeIds.length === 1 ? 'It is' : 'All of them are'} ${done.toLowerCase()} already.`,
          async *tell({ changedIds }, session) {
            yield `${paint('good', done)} ${counted(changedIds.length, 'node')}:`
            yield* nameNodes(session, changedIds, context.out.columns)
          },
        }
      })
    },
  })
}
