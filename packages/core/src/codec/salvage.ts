import { Kind, kindOf } from '../entry/kind.ts'
import { MAX_DEPTH } from './depth.ts'
import { parseObject, type RawObject } from './parse.ts'
import type { CrcState } from './seal.ts'

/** A good record found in a line that as a whole is not one. */
export interface Piece {
  readonly start: number
  readonly end: number
  readonly value: RawObject
  readonly crc: CrcState
  /** As it was decoded. */
  readonly text: string
}

const TYPE_HEAD = new TextEncoder().encode('{"type":"')
/** No record is shorter: what is, is not parsed, or a hostile line could ask for that at every other byte. */
const MIN_PIECE_BYTES = '{"type":""}'.length
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const COMMA = 0x2c

/** Openers are remembered for twice the legal depth; what is deeper cannot be a record. A power of two. */
const RING = MAX_DEPTH * 2

/**
 * Finds the good records in a line that is not one JSON object: two spliced records, a torn one with a complete one
 * behind it, a record after a run of NULs. One pass over the bytes and each byte parsed at most once, so a hostile line
 * costs no more than a long one.
 *
 * Two facts make a single pass enough. Quotes inside strings are escaped, so a literal `{"type":"` always opens an
 * object: met "inside a string" it proves that the string was torn, and the pass starts anew there. And a nested value
 * is always followed by `,` `]` or `}`: an object followed by anything else stands on its own, and everything still open
 * around it is torn.
 */
export function salvageLine(bytes: Uint8Array, start: number, end: number): Piece[] {
  const pieces: Piece[] = []
  if (!bytes.subarray(start, end).includes(OPEN_BRACE)) return pieces
  const openers = new Float64Array(RING)
  let depth = 0
  let forgotten = 0
  let inString = false
  /** Where a record is due: at the line's start and behind each record. Only there may it lack what entries have. */
  let due = skipFiller(bytes, start, end)
  for (let at = due; at < end; at++) {
    const byte = bytes[at]
    if (inString) {
      if (byte === QUOTE) inString = false
      else if (byte === BACKSLASH) {
        // Only these two matter; skipping any byte would step over the record glued to a torn escape.
        const next = bytes[at + 1]
        if (next === QUOTE || next === BACKSLASH) at++
      } else if (byte === OPEN_BRACE && opensTyped(bytes, at)) {
        inString = false
        forgotten = 0
        openers[0] = at
        depth = 1
      }
      continue
    }
    if (byte === QUOTE) inString = true
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      openers[depth & (RING - 1)] = at
      depth++
      if (depth - forgotten > RING) forgotten++
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === forgotten) {
        depth = 0
        forgotten = 0
        continue
      }
      depth--
      // A brace that closes a bracket needs no rule of its own: what lies between will not parse.
      if (byte === CLOSE_BRACKET) continue
      const opener = openers[depth & (RING - 1)]!
      const next = skipFiller(bytes, at + 1, end)
      const alone = next === end || !continuesValue(bytes[next]!)
      if (!alone && !(depth === 0 && opener === due)) continue
      const piece = readPiece(bytes, opener, at + 1, alone && opener === due)
      if (piece !== undefined) {
        pieces.push(piece)
        due = next
      }
      depth = 0
      forgotten = 0
    }
  }
  return pieces
}

function readPiece(bytes: Uint8Array, start: number, end: number, anyType: boolean): Piece | undefined {
  if (end - start < MIN_PIECE_BYTES) return undefined
  const parsed = parseObject(bytes, start, end)
  if (!parsed.ok || !(anyType || looksLikeEntry(parsed.value))) return undefined
  return { start, end, value: parsed.value, crc: parsed.crc, text: parsed.text }
}

/** Tells entries and headers from the content blocks and tool arguments of a torn line, which have a `type` too. */
function looksLikeEntry(value: RawObject): boolean {
  if (typeof value.timestamp !== 'string') return false
  if (value.type === 'session') return typeof value.id === 'string'
  if (typeof value.id === 'string') return value.parentId === null || typeof value.parentId === 'string'
  // v1 entries have neither.
  return !Object.hasOwn(value, 'id') && !Object.hasOwn(value, 'parentId') && kindOf(value.type) !== Kind.other
}

function opensTyped(bytes: Uint8Array, at: number): boolean {
  for (let k = 1; k < TYPE_HEAD.length; k++) if (bytes[at + k] !== TYPE_HEAD[k]) return false
  return true
}

function continuesValue(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_BRACKET || byte === CLOSE_BRACE
}

/** White space, and the NULs a file system leaves where a write never arrived. */
function skipFiller(bytes: Uint8Array, from: number, end: number): number {
  let at = from
  while (at < end && (bytes[at]! === 0 || bytes[at]! === 0x20 || bytes[at]! === 0x09 || bytes[at]! === 0x0d)) at++
  return at
}
