import { listFragments } from '@treeline/core'
import { defineCommand } from '../args/command.ts'
import { CHANGE_JSON, changeSession, inPlaceOption } from '../editing/change-session.ts'
import { nameNodes } from '../editing/name-nodes.ts'
import { findNode } from '../node-of.ts'
import { counted } from '../output/amount.ts'
import { paint } from '../output/style.ts'
import { typedName } from '../target.ts'

export const command = defineCommand({
  positionals: [
    { name: 'FILE', help: 'the session: a path, an id, or a part of one', completes: 'session' },
    { name: 'NODE', help: 'the node to cut below: an id, a part of one, a label, or `leaf`', completes: 'none' },
  ],
  options: { self: { type: 'boolean', help: 'cut off the node itself too' }, ...inPlaceOption },
  details: 'What is cut off goes to the stash, from where `treeline graft` brings it back, here or elsewhere.',
  examples: [
    ['treeline prune 4f2a91c0 1a2b3c4d', 'stash all that follows the node'],
    ['treeline prune 4f2a91c0 1a2b3c4d --self', 'stash the node with all that follows it'],
  ],
  json: `${CHANGE_JSON}; also "stashed":[{"fragmentId","nodeCount"}]`,
  async run({ args: [file, node], options, context }) {
    const stashed: { readonly fragmentId: string; readonly nodeCount: number }[] = []
    return changeSession(context, { file, inPlace: options['in-place'] }, (target, opened) => {
      const { tree } = target
      const nodeId = findNode(target, node!, typedName(opened, file))
      const include = options.self ? 'self' : 'descendants'
      const ref = tree.ids.find(nodeId)
      return {
        isSo: options.self ? tree.edits.fragments.has(ref) : tree.columns.firstChild[ref] === 0,
        async perform(session) {
          const plan = await session.edit({ operations: [{ op: 'prune', nodeId, include }] })
          for (const { fragmentId, nodeCount, opId } of listFragments(session.tree)) {
            if (opId === plan.entry?.id) stashed.push({ fragmentId, nodeCount })
          }
          return plan
        },
        already: options.self ? `${nodeId} is in the stash already.` : `Nothing hangs under ${nodeId}.`,
        async *tell(_plan, session) {
          const count = stashed.reduce((sum, { nodeCount }) => sum + nodeCount, 0)
          yield `${paint('good', 'Stashed')} ${counted(count, 'node')} in ${counted(stashed.length, 'fragment')}:`
          const tops = stashed.map(({ fragmentId }) => fragmentId)
          yield* nameNodes(session, tops, context.out.columns)
        },
        json: { stashed },
      }
    })
  },
})
