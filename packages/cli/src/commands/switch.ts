import { defineCommand } from '../args/command.ts'
import { CHANGE_JSON, changeSession, inPlaceOption } from '../editing/change-session.ts'
import { nameNodes } from '../editing/name-nodes.ts'
import { findLeaf } from '../leaf-option.ts'
import { paint } from '../output/style.ts'
import { typedName } from '../target.ts'

export const command = defineCommand({
  positionals: [
    { name: 'FILE', help: 'the session: a path, an id, or a part of one', completes: 'session' },
    {
      name: 'NODE',
      help: 'where the conversation goes on: an id, a part of one, a label; `root`: before its beginning',
    },
  ],
  options: {
    descend: { type: 'boolean', help: 'go on to the end of the branch below NODE' },
    ...inPlaceOption,
  },
  details: 'Nothing is removed: the other branches stay, and `treeline branches` lists them.',
  examples: [
    ['treeline switch 4f2a91c0 1a2b3c4d', 'go on from this node'],
    ['treeline switch 4f2a91c0 1a2b3c4d --descend', 'go on at the end of that branch'],
    ['treeline switch 4f2a91c0 root', 'the next message begins a new conversation in the same session'],
  ],
  json: CHANGE_JSON,
  async run({ args: [file, node], options, context }) {
    return changeSession(context, { file, inPlace: options['in-place'] }, (session, opened) => {
      const leafId = findLeaf(session, node, typedName(opened, file))
      const resolve = options.descend ? 'descend' : 'exact'
      return {
        perform: () => session.edit({ operations: [{ op: 'leaf', leafId, resolve }] }),
        already: leafId === null ? 'The leaf is at no node already.' : 'The leaf is there already.',
        async *tell() {
          if (session.leafId === null) yield `${paint('good', 'Switched')}: the next message begins a new root.`
          else {
            yield `${paint('good', 'Switched')}: the conversation goes on from`
            yield* nameNodes(session, [session.leafId], context.out.columns)
          }
        },
      }
    })
  },
})
