import { crc32 } from './crc32.ts'

/** What the checksum of a record says: it holds, another tool touched the line, or the line never had one. */
export type CrcState = 'ok' | 'mismatch' | 'none'

/** `,"crc":"` + 8 lower hex + `"}`: the last bytes of every record Treeline writes. */
const PREFIX = new TextEncoder().encode(',"crc":"')
export const TAIL_BYTES = 18
const NO_CRC = -1
const QUOTE = 0x22
const CLOSE = 0x7d
const NEWLINE = 0x0a

/** Where the content of a record ends: before `,"crc"`, or before the closing brace when there is no checksum. */
function findContentEnd(bytes: Uint8Array): number {
  const { length } = bytes
  return readCrc(bytes, 0, length) === NO_CRC ? length - 1 : length - TAIL_BYTES
}

/** What a line ends with whose checksum is zero. */
export function zeroTail(): Uint8Array {
  const tail = new Uint8Array(TAIL_BYTES + 1)
  return tail.subarray(0, sealAs(tail, 0, 0))
}

/** A faster CRC-32 than core's own, where the platform has one (`zlib.crc32` in Node). */
export type Crc32 = (bytes: Uint8Array) => number

/** Checks the record in `bytes[start, end)`, without its line end. */
export function checkCrc(bytes: Uint8Array, start = 0, end = bytes.length, compute: Crc32 = crc32): CrcState {
  const stated = readCrc(bytes, start, end)
  if (stated === NO_CRC) return 'none'
  return compute(bytes.subarray(start, end - TAIL_BYTES)) === stated ? 'ok' : 'mismatch'
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
  return sealAs(line, contentEnd, compute(line.subarray(start, contentEnd)))
}

/** Has the checksum that a record ends with hold for what it says now. */
export function resealInPlace(record: Uint8Array, compute: Crc32 = crc32): void {
  const contentEnd = record.length - TAIL_BYTES
  const crc = compute(record.subarray(0, contentEnd))
  for (let digit = 0; digit < 8; digit++) record[contentEnd + PREFIX.length + digit] = hexDigit(crc, digit)
}

function sealAs(line: Uint8Array, contentEnd: number, crc: number): number {
  line.set(PREFIX, contentEnd)
  for (let digit = 0; digit < 8; digit++) line[contentEnd + PREFIX.length + digit] = hexDigit(crc, digit)
  line[contentEnd + 16] = QUOTE
  line[contentEnd + 17] = CLOSE
  line[contentEnd + 18] = NEWLINE
  return contentEnd + TAIL_BYTES + 1
}

/** The checksum that the record in `bytes[start, end)` ends with, `NO_CRC` when it does not end with one. */
function readCrc(bytes: Uint8Array, start: number, end: number): number {
  const at = end - TAIL_BYTES
  // At least `{` and one more byte before it: `{,"crc"…` is not a record.
  if (at < start + 2 || bytes[end - 1] !== CLOSE || bytes[end - 2] !== QUOTE) return NO_CRC
  for (let k = 0; k < PREFIX.length; k++) if (bytes[at + k] !== PREFIX[k]) return NO_CRC
  let crc = 0
  for (let k = end - 10; k < end - 2; k++) {
    const byte = bytes[k]!
    if (byte >= 0x30 && byte <= 0x39) crc = (crc << 4) | (byte - 0x30)
    else if (byte >= 0x61 && byte <= 0x66) crc = (crc << 4) | (byte - 0x57)
    else return NO_CRC
  }
  return crc >>> 0
}

function hexDigit(crc: number, digit: number): number {
  const nibble = (crc >>> (28 - digit * 4)) & 15
  return nibble < 10 ? 0x30 + nibble : 0x57 + nibble
}
