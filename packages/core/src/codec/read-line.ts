import { addSkipped, type SkipReason } from './findings.ts'
import { isUtf8Record, MAX_LINE_BYTES, parseObject, type RecordCodec } from './parse.ts'
import { type LogFrame, type LogRecord, placeRecord } from './record.ts'
import { salvageLine } from './salvage.ts'

/** One physical line without its line end, somewhere in a buffer. */
export interface Line {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
  /** Offset in the log of `bytes[0]`. */
  readonly base: number
  readonly number: number
  /** False for a last line without a line end. */
  readonly terminated: boolean
}

/**
 * Reads every good record of a line and reports every other byte of it (I2, I3). The one place that decides what a line
 * means: the decoder sends all lines here, the scanner those it cannot take from their first bytes.
 */
export function readLine(
  line: Line,
  frame: LogFrame,
  onEntry: (record: LogRecord) => void,
  maxBytes = MAX_LINE_BYTES,
  codec?: RecordCodec,
): void {
  const { bytes, end } = line
  let { start } = line
  if (bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf && start + 3 <= end) {
    skip(line, frame, start, start + 3, 'bom')
    start += 3
  }
  const from = skipSpace(bytes, start, end)
  const to = trimSpace(bytes, from, end)
  if (from === to) {
    skip(line, frame, start, end, 'blank')
    return
  }

  const whole = parseObject(bytes, from, to, maxBytes, codec)
  if (!whole.ok && whole.reason !== 'not_json') {
    skip(line, frame, start, end, whole.reason)
    return
  }
  const pieces = whole.ok ? [{ start: from, end: to, ...whole }] : salvageLine(bytes, from, to)
  let done = start
  for (const piece of pieces) {
    skip(line, frame, done, piece.start, 'garbage_before_record')
    const { value, crc } = piece
    const offset = line.base + piece.start
    const record = { value, crc, offset, length: piece.end - piece.start, line: line.number }
    const validUtf8 = isUtf8Record(bytes, piece.start, piece.end, piece.text)
    if (placeRecord(frame, record, validUtf8)) onEntry(record)
    done = piece.end
  }
  const rest = pieces.length === 0 ? 'not_json' : 'garbage_after_record'
  skip(line, frame, done, end, line.terminated ? rest : 'torn')
}

function skip(line: Line, frame: LogFrame, start: number, end: number, reason: SkipReason): void {
  if (start === end) return
  const blank = reason !== 'bom' && skipSpace(line.bytes, start, end) === end
  addSkipped(frame, blank ? 'blank' : reason, line.base + start, end - start, line.number)
}

/** JSON's white space, of which a line feed cannot occur inside a line. */
function skipSpace(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && isSpace(bytes[at])) at++
  return at
}

function trimSpace(bytes: Uint8Array, start: number, end: number): number {
  let at = end
  while (at > start && isSpace(bytes[at - 1])) at--
  return at
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d
}
