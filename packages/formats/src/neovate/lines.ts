import { decodeLog, type SkippedRange } from '@treeline/core'
import { canHold } from '../can-hold.ts'
import type { FormatNote } from '../note.ts'
import { NoteList } from '../note-list.ts'
import { type Fields, isFields } from './record.ts'
import { rescueRecords } from './rescue.ts'

/** A record, and where it is. */
export interface FoundLine {
  /** `undefined` for JSON that is no object. */
  readonly value: Fields | undefined
  /** The record as text, where an entry cannot hold it otherwise. */
  readonly json?: string
  readonly line: number
  readonly offset: number
  readonly length: number
}

interface Place {
  readonly line: number
  readonly offset: number
  readonly length: number
}

const REASONS: Readonly<Record<string, string>> = {
  torn: 'is cut off: a write that did not finish. It is not in the result',
  too_long: 'is too long to be read. It is not in the result',
}
/** Whole JSON all the same; only our own logs have no place for it. */
const ODD: ReadonlySet<string> = new Set(['no_type', 'not_an_object', 'too_deep'])

/**
 * The records of a file, in its order, whatever is between them: torn and glued lines, line ends of either kind, byte
 * order marks. What holds no record is told of (X1, X2).
 */
export function findLines(bytes: Uint8Array, notes = new NoteList()): readonly FoundLine[] {
  const { header, titleSlot, records, skipped, notes: found, unlisted } = decodeLog(bytes)
  const lines: FoundLine[] = []
  for (const record of [header, titleSlot, ...records]) {
    if (record === undefined) continue
    // What looks like a checksum of ours belongs to the record here.
    if (record.crc !== 'none') addParsed(bytes, record, lines)
    else lines.push(foundLine(bytes, record, record.value))
  }
  for (const { code, ...place } of found) {
    // A second header of ours is no header here: just a line of a type that Neovate does not know.
    if (code === 'extra_header') addParsed(bytes, place, lines)
    if (code === 'invalid_utf8') {
      const message = `Line ${place.line} has bytes that are no UTF-8. They are read as U+FFFD.`
      notes.add({ kind: 'changed', message, ...place })
    }
  }
  for (const range of skipped) takeSkipped(bytes, range, lines, notes)
  if (unlisted > 0) notes.add({ kind: 'damage', message: `${unlisted} more places of the file hold nothing usable.` })
  lines.sort((a, b) => a.offset - b.offset)
  return lines
}

function takeSkipped(bytes: Uint8Array, range: SkippedRange, lines: FoundLine[], notes: NoteList): void {
  const { reason, severity, line, offset, length } = range
  if (severity === 'note' || (ODD.has(reason) && addParsed(bytes, range, lines))) return
  let from = offset
  for (const { value, start, end } of reason === 'too_long' ? [] : rescueRecords(bytes, offset, offset + length)) {
    lines.push(foundLine(bytes, { line, offset: start, length: end - start }, value))
    if (start > from) notes.add(damage(reason, { line, offset: from, length: start - from }))
    from = end
  }
  const rest = offset + length - from
  if (rest > 0) notes.add(damage(reason, { line, offset: from, length: rest }))
}

function damage(reason: string, place: Place): FormatNote {
  const what = REASONS[reason] ?? 'holds no record there. The bytes are not in the result'
  return { kind: 'damage', message: `Line ${place.line}, byte ${place.offset}, ${what}.`, ...place }
}

/** False when the bytes are no JSON. */
function addParsed(bytes: Uint8Array, place: Place, lines: FoundLine[]): boolean {
  try {
    lines.push(foundLine(bytes, place, JSON.parse(textAt(bytes, place))))
    return true
  } catch {
    // Not a record, which is what was asked.
    return false
  }
}

function foundLine(bytes: Uint8Array, place: Place, parsed: unknown): FoundLine {
  const { line, offset, length } = place
  const value = isFields(parsed) ? parsed : undefined
  const isHeld = value !== undefined && canHold(value)
  return { value, line, offset, length, ...(!isHeld && { json: textAt(bytes, place) }) }
}

const decoder = new TextDecoder('utf-8')

function textAt(bytes: Uint8Array, { offset, length }: Place): string {
  return decoder.decode(bytes.subarray(offset, offset + length))
}
