import { Flag, Kind, placeOf, type Tree } from '@treeline/core'
import type { NoteList } from '../note-list.ts'

/** Tells what of a session is no line of a Neovate file. */
export function noteUnsaid(tree: Tree, notes: NoteList): void {
  const { columns, edits, ids } = tree
  for (let row = 0; row < tree.rowCount; row++) {
    const ref = tree.refAtRow(row)
    const kind = columns.kind[ref]! as Kind
    if (columns.has(ref, Flag.node) || placeOf(kind) !== 'path' || kind === Kind.generation) continue
    notes.count('left_out', 'A change of model, mode or the like has no place in a Neovate file', ids.textOf(ref))
  }
  for (const id of edits.labels.keys()) notes.count('left_out', 'A label has no place in a Neovate file', id)
  for (const ref of edits.meta.keys()) {
    notes.count('left_out', 'A rating or remark has no place in a Neovate file', ids.textOf(ref))
  }
  for (const top of edits.fragments.keys()) {
    for (const ref of columns.subtree(top)) notes.count('left_out', 'A pruned node is left out', ids.textOf(ref))
  }
}
