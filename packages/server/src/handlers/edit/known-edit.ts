import { createHash } from 'node:crypto'
import { type EditData, type EditRecord, type Entry, Flag, ROOT, type Tree, TreelineError } from '@treeline/core'
import type { EditOp, EditResult } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import { type EditDone, readResult } from './edit-result.ts'

/** Stands for the operations of a request in the log, so that a retry is told from another request under its id. */
export function digestOf(operations: readonly EditOp[]): string {
  return createHash('sha256').update(JSON.stringify(operations)).digest('base64url').slice(0, 22)
}

/** What a request has done that was sent before (D3); `undefined` for a new one. */
export async function findKnownEdit(session: Session, opId: string, asked: string): Promise<EditResult | undefined> {
  const { ids, columns } = session.tree
  const ref = ids.find(opId)
  if (ref <= ROOT || !columns.has(ref, Flag.known)) return undefined
  const entry = await session.readEntry(opId)
  const record = session.tree.edits.recordById.get(opId)
  if (record === undefined || dataOf(entry).asked !== asked) {
    const message = `The id ${opId} is taken by something else in this session. Choose another for this edit.`
    throw new TreelineError('id_in_use', message, { nodeIds: [opId] })
  }
  return readResult(session, doneBy(session.tree, record, entry), opId)
}

/** The answer of an edit that is in the log, as things are now. */
export async function readKnownEdit(session: Session, record: EditRecord): Promise<EditResult> {
  const entry = await session.readEntry(record.id)
  return readResult(session, doneBy(session.tree, record, entry), record.id)
}

function doneBy({ edits, ids }: Tree, { line, touched, inverse }: EditRecord, entry: Entry | undefined): EditDone {
  const refs = new Set(touched.map(({ value }) => Number(/^(?:place|order|muted|meta):(\d+)/.exec(value)?.[1] ?? ROOT)))
  for (const [ref, changedAt] of edits.changedAt) if (changedAt === line) refs.add(ref)
  const changedIds = [...refs].filter((ref) => ref > ROOT && ref < ids.count).map((ref) => ids.textOf(ref))
  return { operations: dataOf(entry).ops ?? [], inverse, changedIds, warnings: [] }
}

/** Labels and names carry it on the line itself, edits in their data. */
function dataOf(entry: Entry | undefined): Partial<EditData> {
  const data = entry?.type === 'custom' ? entry.data : entry
  return typeof data === 'object' && data !== null ? data : {}
}
