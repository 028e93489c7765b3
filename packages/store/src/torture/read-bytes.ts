import type { Entry, LogNote, SkippedRange, TreelineError } from '@treeline/core'
import { BodyReader } from '../log/body-reader.ts'
import { LogReader } from '../log/log-reader.ts'
import type { StorageReader } from '../storage/storage.ts'

export interface ReadLog {
  readonly entries: readonly Entry[]
  readonly skipped: readonly SkippedRange[]
  readonly notes: readonly LogNote[]
  readonly unreadable: readonly TreelineError[]
  readonly tornAt: number | undefined
}

/** Reads bytes as the store reads a file, every body, without the file. */
export async function readLogBytes(bytes: Uint8Array): Promise<ReadLog> {
  const reader = new LogReader()
  // A copy: what is pushed may be used again.
  reader.push(bytes.slice())
  reader.settleTail((offset, length) => bytes.slice(offset, offset + length))
  reader.sync()
  const { tree, version, storedHeader } = reader
  const bodies = new BodyReader({ file: { handle: fileOf(bytes) }, tree, version, sessionId: storedHeader?.id ?? '' })
  const read = await bodies.readEntries(Array.from({ length: tree.rowCount }, (_, row) => row))
  return {
    entries: read.filter((entry) => entry !== undefined),
    skipped: reader.skipped,
    notes: [...reader.notes, ...bodies.notes],
    unreadable: bodies.unreadable,
    tornAt: reader.tornAt,
  }
}

function fileOf(bytes: Uint8Array): StorageReader {
  const readSync = (into: Uint8Array, position: number): number => {
    const found = bytes.subarray(position, position + into.length)
    into.set(found)
    return found.length
  }
  const stat = { size: bytes.length, mtimeMs: 0, mtime: new Date(0), identity: '0:0' }
  return {
    statSync: () => stat,
    readSync,
    read: async (into, position) => readSync(into, position),
    datasync: async () => {},
    datasyncSync: () => {},
    closeSync: () => {},
  }
}

/** Where something was found to be wrong, as byte ranges. */
export function damageOf(log: ReadLog, size: number): readonly { readonly start: number; readonly end: number }[] {
  return [
    ...[...log.skipped, ...log.notes].map(({ offset, length }) => ({ start: offset, end: offset + length })),
    ...log.unreadable.map(({ details }) => ({ start: details.offset!, end: details.offset! + 1 })),
    ...(log.tornAt === undefined ? [] : [{ start: log.tornAt, end: size }]),
  ]
}
