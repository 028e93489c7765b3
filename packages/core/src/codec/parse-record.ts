import type { Entry } from '../entry/entry.ts'
import { TreelineError } from '../errors.ts'
import { MAX_DEPTH } from './depth.ts'
import type { SkipReason } from './findings.ts'
import { parseObject, type RecordCodec } from './parse.ts'
import { salvageLine } from './salvage.ts'
import type { CrcState } from './seal.ts'

/** What the scan said about a record whose body is now read. */
export interface ExpectedRecord {
  readonly id?: string | undefined
  readonly line?: number | undefined
  readonly offset?: number | undefined
}

export interface ReadRecord {
  /** As stored: a v1 entry still lacks its id. */
  readonly entry: Entry
  readonly crc: CrcState
  /** False when other bytes were found around the entry: damage the scan could not see. */
  readonly clean: boolean
}

/**
 * Reads the bytes of one record, as located by a scan. Throws `damaged` when the entry is not in them. A good entry with
 * garbage glued to it is given all the same (I3), and is not `clean` (I2).
 */
export function parseRecord(bytes: Uint8Array, expected: ExpectedRecord = {}, codec?: RecordCodec): ReadRecord {
  const parsed = parseObject(bytes, 0, bytes.length, undefined, codec)
  if (!parsed.ok) {
    const pieces = parsed.reason === 'not_json' ? salvageLine(bytes, 0, bytes.length) : []
    const piece = pieces.find(({ value }) => isSameId(value.id, expected.id))
    if (piece !== undefined) return { entry: piece.value as Entry, crc: piece.crc, clean: false }
    throw damagedRecord(expected, REASON_TEXT[parsed.reason] ?? 'cannot be parsed', parsed.cause)
  }
  const { id } = parsed.value
  if (expected.id !== undefined && !isSameId(id, expected.id)) {
    throw damagedRecord(expected, `holds another entry (${JSON.stringify(id)}): the log was changed since it was read`)
  }
  return { entry: parsed.value as Entry, crc: parsed.crc, clean: true }
}

/** Columns keep ids as UTF-8, where a lone surrogate has become U+FFFD. */
function isSameId(id: unknown, expected: string | undefined): boolean {
  if (id === expected) return true
  return typeof id === 'string' ? id.toWellFormed() === expected?.toWellFormed() : false
}

const REASON_TEXT: Partial<Record<SkipReason, string>> = {
  not_json: 'is not valid JSON',
  not_an_object: 'is not a JSON object',
  no_type: 'has no type',
  too_deep: `is nested deeper than ${MAX_DEPTH} levels`,
  too_long: 'is too long to be parsed',
}

function damagedRecord(expected: ExpectedRecord, problem: string, cause?: unknown): TreelineError {
  const { id, line, offset } = expected
  const entry = id === undefined ? 'An entry' : `Entry ${id}`
  const where = (line === undefined ? '' : ` on line ${line}`) + (offset === undefined ? '' : ` at byte ${offset}`)
  const details = { ...(line === undefined ? {} : { line }), ...(offset === undefined ? {} : { offset }) }
  const message = `${entry}${where} ${problem}. The bytes are kept; run \`treeline doctor\` to see what can be recovered.`
  return new TreelineError('damaged', message, details, cause === undefined ? undefined : { cause })
}
