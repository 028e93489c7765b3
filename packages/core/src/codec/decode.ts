import type { LogNote, SkippedRange } from './findings.ts'
import { readLine } from './read-line.ts'
import { createFrame, type LogRecord } from './record.ts'

/** A whole log, every body parsed. Every byte is in a record, in a skipped range or a line end. */
export interface DecodedLog {
  /** Absent when the first good record is not a header; the entries are still given (I3). */
  readonly header: LogRecord | undefined
  readonly titleSlot: LogRecord | undefined
  /** All good records that are not headers, in log order. */
  readonly records: readonly LogRecord[]
  readonly skipped: readonly SkippedRange[]
  readonly notes: readonly LogNote[]
  /** Findings beyond the first ten thousand of each list: counted, not listed. */
  readonly unlisted: number
}

const NEWLINE = 0x0a
const RETURN = 0x0d

/** Decodes a log held in memory, never throwing: for doctor, import and small logs. A scan is the way to open a session. */
export function decodeLog(bytes: Uint8Array, options: { readonly maxLineBytes?: number } = {}): DecodedLog {
  const frame = createFrame()
  const records: LogRecord[] = []
  const onEntry = (record: LogRecord): void => void records.push(record)
  for (let start = 0, number = 1; start < bytes.length; number++) {
    const newline = bytes.indexOf(NEWLINE, start)
    const terminated = newline >= 0
    const next = terminated ? newline + 1 : bytes.length
    const end = terminated ? (newline > start && bytes[newline - 1] === RETURN ? newline - 1 : newline) : next
    readLine({ bytes, start, end, base: 0, number, terminated }, frame, onEntry, options.maxLineBytes)
    start = next
  }
  const { header, titleSlot, skipped, notes, unlisted } = frame
  return { header, titleSlot, records, skipped, notes, unlisted }
}
