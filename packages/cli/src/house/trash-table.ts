import type { TrashItem } from '@treeline/store'
import { minuteText } from '../listing/age.ts'
import { bytesText, counted } from '../output/amount.ts'
import { shortId } from '../output/short-id.ts'
import { table } from '../output/table.ts'

const COLUMNS = [
  { title: 'id', style: 'id' },
  { title: 'what' },
  { title: 'removed', spare: 1 },
  { title: 'size', align: 'right', spare: 2 },
  { title: 'why', flexible: true },
] as const

export function* trashTable(items: readonly TrashItem[], width: number): Generator<string> {
  const rows = items.map(({ trashId, kind, sessionId, trashedAt, sizeBytes, reason, files }) => [
    shortId(trashId),
    kind === 'blobs'
      ? counted(files.length, 'blob')
      : sessionId === undefined
        ? 'session, id unknown'
        : `session ${shortId(sessionId)}`,
    minuteText(trashedAt),
    bytesText(sizeBytes),
    reason ?? '',
  ])
  yield* table(COLUMNS, rows, width)
}

/** Of an item what a program wants to know. */
export function trashJson({ trashId, kind, sessionId, trashedAt, reason, sizeBytes, files }: TrashItem) {
  return {
    trashId,
    kind,
    sessionId: sessionId ?? null,
    trashedAt: trashedAt ?? null,
    reason: reason ?? null,
    sizeBytes,
    files: files.map(({ from }) => from),
  }
}
