import { crc32 } from './crc32.ts'

/** What the checksum of a record says: it holds, another tool touched the line, or the line never had one. */
export type CrcState = 'ok' | 'mismatch' | 'none'

/** `,"crc":"` + 8 lower hex + `"}`: the last bytes of every record Treeline writes. */
const PREFIX = new TextEncoder().encode(',"crc":"')
export const TAIL_BYTES = 18
const QUOTE = 0x22
const CLOSE = 0x7d
const NEWLINE = 0x0a

/** Where the content of a record ends: before `,"crc"`, or before the closing brace when there is no checksum. */
export function findContentEnd(bytes: Uint8Array, start = 0, end = bytes.length): number {
  return hasCrc(bytes, start, end) ? end - TAIL_BYTES : end - 1
}

/** A faster CRC-32 than core's own, where the platform has one (`zlib.crc32` in Node). */
export type Crc32 = (bytes: Uint8Array) => number

/** Checks the record in `bytes[start, end)`, without its line end. */
export function checkCrc(bytes: Uint8Array, start = 0, end = bytes.length, compute: Crc32 = crc32): CrcState {
  return hasCrc(bytes, start, end) ? compareCrc(bytes, start, end, compute) : 'none'
}

/** As `checkCrc`, of a record that is known to end with a checksum. */
export function compareCrc(bytes: Uint8Array, start: number, end: number, compute: Crc32 = crc32): 'ok' | 'mismatch' {
  const crc = compute(bytes.subarray(start, end - TAIL_BYTES))
  for (let digit = 0; digit < 8; digit++) {
    if (bytes[end - 10 + digit] !== hexDigit(crc, digit)) return 'mismatch'
  }
  return 'ok'
}

/** The record's bytes as they were before Treeline checksummed them. Two records say the same if these are equal. */
export function withoutCrc(record: Uint8Array): Uint8Array {
  const contentEnd = findContentEnd(record)
  if (contentEnd === record.length - 1) return record
  const bare = record.slice(0, contentEnd + 1)
  bare[contentEnd] = CLOSE
  return bare
}

/**
 * The line that keeps a record byte for byte and adds a checksum and a line end; this is how a fork copies entries it
 * does not understand. A checksum that is already there and holds stays; one that does not hold is replaced.
 */
export function sealRecord(record: Uint8Array, compute?: Crc32): Uint8Array<ArrayBuffer> {
  const contentEnd = findContentEnd(record)
  const line = new Uint8Array(contentEnd + TAIL_BYTES + 1)
  line.set(record.subarray(0, contentEnd))
  sealInPlace(line, contentEnd, compute)
  return line
}

/** Writes checksum and line end after the content of the record that begins at `start`; returns where the line ends. */
export function sealInPlace(line: Uint8Array, contentEnd: number, compute: Crc32 = crc32, start = 0): number {
  const crc = compute(line.subarray(start, contentEnd))
  line.set(PREFIX, contentEnd)
  for (let digit = 0; digit < 8; digit++) line[contentEnd + PREFIX.length + digit] = hexDigit(crc, digit)
  line[contentEnd + 16] = QUOTE
  line[contentEnd + 17] = CLOSE
  line[contentEnd + 18] = NEWLINE
  return contentEnd + TAIL_BYTES + 1
}

function hasCrc(bytes: Uint8Array, start: number, end: number): boolean {
  const at = end - TAIL_BYTES
  // At least `{` and one more byte before it: `{,"crc"…` is not a record.
  if (at < start + 2 || bytes[end - 1] !== CLOSE || bytes[end - 2] !== QUOTE) return false
  for (let k = 0; k < PREFIX.length; k++) if (bytes[at + k] !== PREFIX[k]) return false
  for (let k = end - 10; k < end - 2; k++) {
    const byte = bytes[k]!
    if (!((byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66))) return false
  }
  return true
}

function hexDigit(crc: number, digit: number): number {
  const nibble = (crc >>> (28 - digit * 4)) & 15
  return nibble < 10 ? 0x30 + nibble : 0x57 + nibble
}
