import type { Entry } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { CopyPlan } from './copy-plan.ts'

/** Lines that a later one of the same id replaces, by row: no id leads to them, so all lines are looked at. */
export async function readShadowed(session: Session, { entries }: CopyPlan): Promise<ReadonlyMap<number, Entry>> {
  const wanted = new Set(entries.flatMap(({ shadowedRow }) => shadowedRow ?? []))
  const found = new Map<number, Entry>()
  if (wanted.size === 0) return found
  const { tree } = session
  let row = 0
  for await (const entry of session.entries()) {
    // Damaged rows are not given.
    while (row < tree.rowCount && tree.ids.textOf(tree.refAtRow(row)) !== entry.id) row++
    if (wanted.has(row)) found.set(row, entry)
    row++
  }
  return found
}
