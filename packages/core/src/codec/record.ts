import { addNote, type Findings } from './findings.ts'
import type { RawObject } from './parse.ts'
import type { CrcState } from './seal.ts'

/** A good record and where it is. `value` is as stored, without the checksum, and not validated further. */
export interface LogRecord {
  readonly value: RawObject
  readonly crc: CrcState
  /** Byte range of the object itself, without line end or white space around it. */
  readonly offset: number
  readonly length: number
  /** 1-based physical line; two records spliced on one line share it. */
  readonly line: number
}

/** What a log holds beside its entries. */
export interface LogFrame extends Findings {
  header: LogRecord | undefined
  /** oh-my-pi's title line, which may stand before the header. */
  titleSlot: LogRecord | undefined
  /** False once the first good record, title slot aside, was seen. */
  expectsHeader: boolean
}

export function createFrame(expectsHeader = true): LogFrame {
  return { header: undefined, titleSlot: undefined, expectsHeader, skipped: [], notes: [], unlisted: 0 }
}

/** Gives a good record its place. True when it is an entry; headers and the title slot stay in the frame. */
export function placeRecord(frame: LogFrame, record: LogRecord, validUtf8: boolean): boolean {
  const { value, offset, length, line } = record
  if (!validUtf8) addNote(frame, { code: 'invalid_utf8', offset, length, line })
  if (record.crc === 'mismatch') addNote(frame, { code: 'crc_mismatch', offset, length, line })
  if (frame.expectsHeader) {
    if (value.type === 'title' && typeof value.v === 'number' && frame.titleSlot === undefined) {
      frame.titleSlot = record
      return false
    }
    frame.expectsHeader = false
    if (isHeader(value)) {
      frame.header = record
      return false
    }
    addNote(frame, { code: 'no_header', offset, length, line })
  }
  if (value.type !== 'session') return true
  addNote(frame, { code: 'extra_header', offset, length, line })
  return false
}

function isHeader(value: RawObject): boolean {
  return value.type === 'session' && typeof value.id === 'string'
}
