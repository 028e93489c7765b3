import { defineCommand } from '../args/command.ts'
import { CHANGE_JSON, changeSession, inPlaceOption } from '../editing/change-session.ts'
import { describeEdit } from '../editing/describe-edit.ts'
import { findEdit } from '../editing/find-edit.ts'
import { listEdits } from '../editing/list-edits.ts'
import { paint } from '../output/style.ts'

export const command = defineCommand({
  positionals: [
    { name: 'FILE', help: 'the session; the latest of this project by default', optional: true, completes: 'session' },
    {
      name: 'EDIT',
      help: 'the edit to take back, by its id; the latest by default',
      optional: true,
      completes: 'none',
    },
  ],
  options: { list: { type: 'boolean', help: 'show the latest edits, and change nothing' }, ...inPlaceOption },
  details: 'Refused when what the edit changed was changed again since: undo that first.',
  examples: [
    ['treeline undo 4f2a91c0', 'take back the latest edit'],
    ['treeline undo 4f2a91c0 --list', 'which edits there are'],
    ['treeline undo 4f2a91c0 1a2b3c4d', 'take back this one'],
  ],
  json: `${CHANGE_JSON}; also "undoes". With --list {"sessionId","path","count","edits":[{"editId","timestamp","what","undone","undoes","by"}]}`,
  async run({ args: [file, edit], options, context }) {
    if (options.list) return listEdits(context, file)
    return changeSession(context, { file, inPlace: options['in-place'] }, (session) => {
      const json: { undoes: string | null } = { undoes: null }
      const editId = edit === undefined ? undefined : findEdit(session.tree, edit).id
      return {
        async perform() {
          const plan = await session.undo(editId === undefined ? {} : { editId })
          json.undoes = session.tree.edits.recordById.get(plan.entry?.id ?? '')?.undoes ?? null
          return plan
        },
        already: 'There was nothing left of that edit to take back.',
        async *tell() {
          const taken = json.undoes === null ? undefined : await session.readEntry(json.undoes)
          yield `${paint('good', 'Undone')}: ${describeEdit(taken)}`
        },
        reverse: 'redo',
        json,
      }
    })
  },
})
