import { basename } from 'node:path'
import type { Entry } from '@treeline/core'
import type { ForeignFile, Translation } from '../format.ts'
import { NoteList } from '../note-list.ts'
import { findCalls } from './find-calls.ts'
import { findRecords } from './find-records.ts'
import { isP9Type } from './p9-record.ts'
import { type PlacedRecord, placeRecords } from './place-records.ts'
import { toEntry } from './to-entry.ts'

/** 9999-12-31: what an ISO date of four digits can say. */
const MAX_TIME_MS = 253_402_300_799_999

/** Seed 004's headerless files (P9), whatever has happened to them. */
export function readGeneric({ path, bytes }: ForeignFile): Translation {
  const notes = new NoteList()
  const sessionId = basename(path).replace(/\.[^.]*$/, '') || 'session'
  const { records, last } = placeRecords(findRecords(bytes, notes), notes)
  const calls = findCalls(records)
  const entries: Entry[] = []
  let timeMs = records.map(timeOf).find((time) => time !== undefined) ?? 0
  const createdAt = new Date(timeMs).toISOString()
  for (const record of records) {
    timeMs = timeOf(record) ?? timeMs
    tellOddities(record, notes)
    entries.push(toEntry(record, timeMs, calls.get(record.id)))
  }
  const rest = { cwd: undefined, title: undefined, operations: [] }
  const [first] = entries
  const identity = first === undefined ? [sessionId] : [first.id, first.timestamp]
  return { sessionId, identity, createdAt, ...rest, entries, leafId: last, notes: notes.all() }
}

function timeOf({ value }: PlacedRecord): number | undefined {
  const { timestamp } = value
  // Seed 004 counts milliseconds; some who write its format say it in words.
  const ms = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp
  return typeof ms === 'number' && ms >= 0 && ms <= MAX_TIME_MS ? ms : undefined
}

function tellOddities(record: PlacedRecord, notes: NoteList): void {
  const { value, id } = record
  if (!isP9Type(value.type)) {
    notes.count('changed', 'An entry of a type that this format does not know is kept, but not shown', id)
  } else if (typeof value.content !== 'string') {
    notes.count('changed', 'The content of an entry is no text. It is shown as JSON', id)
  }
  if (timeOf(record) === undefined) {
    notes.count('changed', 'An entry has no time that can be told. It has that of the one before it', id)
  }
}
