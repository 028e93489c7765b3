import { TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import { defineCommand } from '../args/command.ts'
import { CHANGE_JSON, changeSession, inPlaceOption } from '../editing/change-session.ts'
import { describeEdit } from '../editing/describe-edit.ts'
import { findEdit, isUndone } from '../editing/find-edit.ts'
import { paint } from '../output/style.ts'

export const command = defineCommand({
  positionals: [
    { name: 'FILE', help: 'the session; the latest of this project by default', optional: true, completes: 'session' },
    {
      name: 'EDIT',
      help: 'the edit that was undone, by its id; the latest by default',
      optional: true,
      completes: 'none',
    },
  ],
  options: { ...inPlaceOption },
  examples: [['treeline redo 4f2a91c0', 'do again what `treeline undo` took back']],
  json: `${CHANGE_JSON}; also "redoes"`,
  async run({ args: [file, edit], options, context }) {
    return changeSession(context, { file, inPlace: options['in-place'] }, (session) => {
      const json: { redoes: string | null } = { redoes: null }
      const editId = edit === undefined ? undefined : undoOf(session, edit)
      return {
        async perform() {
          const plan = editId === undefined ? await session.redo() : await session.undo({ editId })
          const { recordById } = session.tree.edits
          const undo = recordById.get(recordById.get(plan.entry?.id ?? '')?.undoes ?? '')
          json.redoes = undo?.undoes ?? null
          return plan
        },
        already: 'It is so already.',
        async *tell() {
          const again = json.redoes === null ? undefined : await session.readEntry(json.redoes)
          yield `${paint('good', 'Redone')}: ${describeEdit(again)}`
        },
        json,
      }
    })
  },
})

/** The edit that took the named one back. */
function undoOf({ tree }: Session, text: string): string {
  const record = findEdit(tree, text)
  const undo = record.undoes === undefined ? record.undoneBy : record
  if (undo !== undefined && !isUndone(undo)) return undo.id
  throw new TreelineError('nothing_to_undo', `Edit ${record.id} is in force: there is nothing to redo.`)
}
