import { decodeLog, type LogRecord, type SkippedRange } from '@treeline/core'
import { type JsonRecord, parseRecord } from '../kept-record.ts'
import type { NoteList } from '../note-list.ts'
import { isP9Record } from './p9-record.ts'

/** One record and where it is in its file. */
export interface FoundRecord {
  readonly value: JsonRecord
  /** 1-based; records that were glued together share it. */
  readonly line: number
  readonly offset: number
}

const WHY: Readonly<Record<SkippedRange['reason'], string>> = {
  bom: 'a byte order mark',
  blank: 'nothing but white space',
  not_json: 'no JSON',
  not_an_object: 'no JSON object',
  no_type: 'an object without a type, which no entry is',
  torn: 'a line that was cut off while it was written',
  garbage_before_record: 'bytes before a record that are none',
  garbage_after_record: 'bytes after a record that are none',
  too_deep: 'a record that is nested deeper than 64 levels',
  too_long: 'a line that is too long to be read',
}

/** How a record begins that a program wrote behind one that had been cut off: in a whole text quotes are escaped. */
const RECORD_HEAD = '{"id":"'
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Every record of a file, in order, whatever else it holds (I3): bad lines, records glued together and those behind a
 * torn one are survived and told.
 */
export function findRecords(bytes: Uint8Array, notes: NoteList): readonly FoundRecord[] {
  const { header, titleSlot, records, skipped, notes: odd, unlisted } = decodeLog(bytes)
  const found = records.map((record): FoundRecord => ({ value: asWritten(bytes, record), ...placeOf(record) }))
  const others = [header, titleSlot].filter((record) => record !== undefined)
  for (const { line, offset, length } of others) {
    notes.add({ kind: 'left_out', message: 'The header of a log is no entry of this format.', line, offset, length })
  }
  for (const { code, line, offset, length } of odd) {
    if (code === 'extra_header') {
      notes.add({ kind: 'left_out', message: 'The header of a log is no entry of this format.', line, offset, length })
    } else if (code === 'invalid_utf8') {
      const message = 'Some bytes of a record are no UTF-8. They are shown as \ufffd.'
      notes.add({ kind: 'changed', message, line, offset, length })
    }
  }
  for (const range of skipped) if (range.severity === 'damage') found.push(...salvage(bytes, range, notes))
  if (unlisted > 0) notes.add({ kind: 'damage', message: `${unlisted} more places of the file hold no record.` })
  return found.sort((a, b) => a.offset - b.offset)
}

function placeOf({ line, offset }: LogRecord): Pick<FoundRecord, 'line' | 'offset'> {
  return { line, offset }
}

/** Reading a log takes a checksum off; in this format that is a field like any other. */
function asWritten(bytes: Uint8Array, { value, crc, offset, length }: LogRecord): JsonRecord {
  if (crc === 'none') return value
  return parseRecord(decoder.decode(bytes.subarray(offset, offset + length))) ?? value
}

/** Each piece is looked at once, from one beginning to the next, so that a hostile line costs no more than a long one. */
function salvage(bytes: Uint8Array, range: SkippedRange, notes: NoteList): FoundRecord[] {
  const { line, offset, length, reason } = range
  const found: FoundRecord[] = []
  const text = reason === 'too_long' ? '' : decoder.decode(bytes.subarray(offset, offset + length))
  for (let start = text.indexOf(RECORD_HEAD); start >= 0; ) {
    const next = text.indexOf(RECORD_HEAD, start + 1)
    const value = parseRecord(text.slice(start, next < 0 ? undefined : next))
    if (value !== undefined && isP9Record(value)) {
      found.push({ value, line, offset: offset + Buffer.byteLength(text.slice(0, start)) })
    }
    start = next
  }
  const saved = found.length === 0 ? '' : ` A record behind it could be read.`
  const message = `Line ${line} holds ${WHY[reason]}: ${length} bytes are not taken over.${saved}`
  notes.add({ kind: 'damage', message, line, offset, length })
  return found
}
