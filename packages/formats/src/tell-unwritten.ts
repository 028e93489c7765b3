import { Kind, placeOf } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { NoteList } from './note-list.ts'
import type { WritePlan } from './write-plan.ts'

/** What of a session goes into no file of messages: answers under way, settings on the path, what was deleted. */
export function tellUnwritten(session: Session, plan: WritePlan, notes: NoteList): void {
  const { tree, refs, branches, unfinished } = plan
  const { columns, edits, ids } = tree
  for (const ref of unfinished)
    notes.count('left_out', 'An answer that is being generated is left out', ids.textOf(ref))
  if (session.header.cwd !== '') notes.count('left_out', 'The folder it took place in is left out')
  if (branches === 'trunk') return
  for (const top of edits.deleted.keys()) notes.count('left_out', 'A deleted node is left out', ids.textOf(top))
  const written = new Set(refs)
  for (let row = 0; row < tree.rowCount; row++) {
    const ref = tree.refAtRow(row)
    const kind = columns.kind[ref]! as Kind
    if (written.has(ref) || kind === Kind.generation || placeOf(kind) !== 'path') continue
    notes.count('left_out', 'A change of model, mode or the like is left out', ids.textOf(ref))
  }
}
