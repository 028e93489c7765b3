import { NO_CRC, readCrc, TAIL_BYTES } from './seal.ts'

const NEWLINE = 0x0a
/** Longer records are for whoever checks one alone. */
const LENGTH_BITS = 16
/** For each bit of a length, what as many zero bytes make of each byte of a checksum. Made when first needed: 64 KiB. */
let shifts: Int32Array | undefined

/**
 * What the checksum over lines that follow each other must be, from those they end with: one look at all their bytes then
 * checks them all, where a call for each would cost more than the checksums. `crc` is that of the lines before, `undefined`
 * for the first; the line end between two of them is counted, the last one is not. Nothing for a record that has no
 * checksum, or is so long that it can as well be checked alone.
 *
 * @example
 * let crc: number | undefined
 * for (const { start, end } of records) crc = addToRun(crc, bytes, start, end)
 * const areSound = crc32(bytes.subarray(records[0].start, records.at(-1).end)) === crc
 */
export function addToRun(crc: number | undefined, bytes: Uint8Array, start: number, end: number): number | undefined {
  if ((end - start) >>> LENGTH_BITS !== 0) return undefined
  const stated = readCrc(bytes, start, end)
  if (stated === NO_CRC) return undefined
  const tail = end - TAIL_BYTES
  shifts ??= makeShifts()
  const table = shifts
  const before = crc === undefined ? 0 : ~step(table, ~crc, NEWLINE)
  // The checksum of two texts is that of the first, moved past the second, and that of the second.
  let sum = ~(shift(table, before, tail - start) ^ stated)
  for (let at = tail; at < end; at++) sum = step(table, sum, bytes[at]!)
  return ~sum >>> 0
}

function step(table: Int32Array, sum: number, byte: number): number {
  return (sum >>> 8) ^ table[(sum ^ byte) & 255]!
}

function shift(table: Int32Array, crc: number, zeros: number): number {
  let sum = crc
  for (let rest = zeros, at = 0; rest > 0; rest >>>= 1, at += 1024) {
    if ((rest & 1) !== 0) sum = shiftOnce(table, at, sum)
  }
  return sum
}

function shiftOnce(table: Int32Array, at: number, sum: number): number {
  const low = table[at + (sum & 255)]! ^ table[at + 256 + ((sum >>> 8) & 255)]!
  return low ^ table[at + 512 + ((sum >>> 16) & 255)]! ^ table[at + 768 + (sum >>> 24)]!
}

function makeShifts(): Int32Array {
  const table = new Int32Array(LENGTH_BITS * 1024)
  for (let power = 0; power < LENGTH_BITS; power++) {
    const at = power * 1024
    for (let byte = 0; byte < 4; byte++) {
      for (let bit = 0; bit < 8; bit++) {
        const value = 1 << (byte * 8 + bit)
        const once = power === 0 ? afterZeroByte(value) : shiftOnce(table, at - 1024, value)
        table[at + byte * 256 + (1 << bit)] = power === 0 ? once : shiftOnce(table, at - 1024, once)
      }
      // What becomes of a byte is what becomes of its bits.
      for (let value = 1; value < 256; value++) {
        const lowest = value & -value
        const row = at + byte * 256
        table[row + value] = table[row + (value ^ lowest)]! ^ table[row + lowest]!
      }
    }
  }
  return table
}

function afterZeroByte(value: number): number {
  let sum = value
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  return sum
}
