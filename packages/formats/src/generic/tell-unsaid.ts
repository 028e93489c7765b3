import { Flag } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { NoteList } from '../note-list.ts'
import type { WritePlan } from '../write-plan.ts'

/** What a session knows about its nodes and flat records have no words for. */
export function tellUnsaid(session: Session, { tree, refs, fragments }: WritePlan, notes: NoteList): void {
  const { columns, edits, ids } = tree
  for (const ref of refs) {
    const id = ids.textOf(ref)
    if (columns.has(ref, Flag.muted)) notes.count('changed', 'A muted node is written as any other', id)
    if (edits.labels.has(id)) notes.count('left_out', 'A label is left out', id)
    if (edits.meta.has(ref)) notes.count('left_out', 'A rating, pin or note of a node is left out', id)
  }
  for (const top of fragments) notes.count('changed', 'A fragment in the stash is written as a root', ids.textOf(top))
  if (session.name !== undefined) notes.count('left_out', 'The name of the session is left out')
}
