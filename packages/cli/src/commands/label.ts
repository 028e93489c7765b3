import { defineCommand } from '../args/command.ts'
import { CHANGE_JSON, changeSession, inPlaceOption } from '../editing/change-session.ts'
import { nameNodes } from '../editing/name-nodes.ts'
import { findNode } from '../node-of.ts'
import { paint } from '../output/style.ts'
import { typedName } from '../target.ts'

export const command = defineCommand({
  positionals: [
    { name: 'FILE', help: 'the session: a path, an id, or a part of one', completes: 'session' },
    { name: 'NODE', help: 'the node: an id, a part of one, its label, or `leaf`', completes: 'none' },
    { name: 'TEXT', help: 'its label; without it the label is taken away', optional: true, completes: 'none' },
  ],
  options: { ...inPlaceOption },
  details: 'A label can be given wherever a node is asked for.',
  examples: [
    ["treeline label 4f2a91c0 1a2b3c4d 'good idea'", 'name a node'],
    ["treeline label 4f2a91c0 'good idea'", 'take the name away'],
  ],
  json: CHANGE_JSON,
  async run({ args: [file, node, text], options, context }) {
    return changeSession(context, { file, inPlace: options['in-place'] }, (session, opened) => {
      const nodeId = findNode(session, node!, typedName(opened, file))
      const label = text?.trim() || null
      return {
        isAside: true,
        isSo: (session.tree.edits.labels.get(nodeId)?.label ?? null) === label,
        perform: () => session.edit({ operations: [{ op: 'label', nodeId, label }] }),
        already: label === null ? `${nodeId} has no label.` : `${nodeId} is called that already.`,
        async *tell() {
          yield label === null
            ? `${paint('good', 'Took the label away')} from`
            : `${paint('good', 'Labelled')} ${JSON.stringify(label)}:`
          yield* nameNodes(session, [nodeId], context.out.columns)
        },
      }
    })
  },
})
