const DIGIT_BITS = 11
const DIGITS = 1 << DIGIT_BITS

/** Indexes sorted by several keys, the most important last: whole numbers from 0, sorted digit by digit, which is linear. */
export function sortByCell(keys: readonly Int32Array[]): Int32Array {
  const count = keys[0]?.length ?? 0
  let order = new Int32Array(count)
  let spare = new Int32Array(count)
  for (let at = 0; at < count; at++) order[at] = at
  const starts = new Int32Array(DIGITS + 1)
  for (const key of keys) {
    let largest = 0
    for (let at = 0; at < count; at++) largest = Math.max(largest, key[at]!)
    for (let shift = 0; shift < 31 && largest >>> shift > 0; shift += DIGIT_BITS) {
      sortByDigit(key, shift, order, spare, starts)
      const sorted = spare
      spare = order
      order = sorted
    }
  }
  return order
}

function sortByDigit(key: Int32Array, shift: number, from: Int32Array, to: Int32Array, starts: Int32Array): void {
  starts.fill(0)
  for (let at = 0; at < from.length; at++) starts[((key[at]! >>> shift) & (DIGITS - 1)) + 1]!++
  for (let digit = 0; digit < DIGITS; digit++) starts[digit + 1]! += starts[digit]!
  for (let at = 0; at < from.length; at++) {
    const box = from[at]!
    const digit = (key[box]! >>> shift) & (DIGITS - 1)
    to[starts[digit]!] = box
    starts[digit]!++
  }
}
