// AssemblyScript: what one checksum over many lines must be, from those they end with. `npm run build-wasm` compiles it
// into src/codec/run-crc-wasm.ts.

/** For each bit of a length, what as many zero bytes make of each byte of a checksum. */
const SHIFTS: i32 = 0
const SHIFT_BYTES: i32 = 4 * 256 * 4
const LENGTH_BITS: i32 = 18
const MAX_LENGTH: u32 = (1 << LENGTH_BITS) - 1
/** For each hex digit of a checksum at the end of a line, what it adds to that of the line; by its last five bits. */
const DIGITS: i32 = SHIFTS + LENGTH_BITS * SHIFT_BYTES
/** Of each line, its length without the line end. */
export const MAX_LINES: i32 = 4096
export const LENGTHS: i32 = DIGITS + 8 * 32 * 4
/** Two, so that one can be filled while another thread still writes what is in the other. */
export const WINDOWS: i32 = LENGTHS + MAX_LINES * 4
export const WINDOW_BYTES: i32 = 512 * 1024

/** Every line ends with `,"crc":"`, eight digits, `"}` and a line end: so many bytes behind what the digits are about. */
const TAIL_BYTES: i32 = 19
/** The first digit, counted from the end of the line without its line end. */
const FIRST_DIGIT: i32 = 10

/** The checksum of such an end with nothing but zeros for digits; said by the caller, who knows what lines end with. */
let zeroTail: u32 = 0

/** Once, before anything else. */
export function setUp(tailOfZeros: u32): void {
  zeroTail = tailOfZeros
  for (let power = 0; power < LENGTH_BITS; power++) {
    const table = SHIFTS + power * SHIFT_BYTES
    for (let byte = 0; byte < 4; byte++) {
      for (let bit = 0; bit < 8; bit++) {
        const value: u32 = 1 << (byte * 8 + bit)
        const half = power === 0 ? value : shiftOnce(table - SHIFT_BYTES, value)
        store<u32>(
          table + byte * 1024 + (4 << bit),
          power === 0 ? afterZeroByte(half) : shiftOnce(table - SHIFT_BYTES, half),
        )
      }
      // What becomes of a byte is what becomes of its bits.
      const row = table + byte * 1024
      for (let value = 1; value < 256; value++) {
        const lowest = value & -value
        store<u32>(row + value * 4, load<u32>(row + (value ^ lowest) * 4) ^ load<u32>(row + lowest * 4))
      }
    }
  }
  for (let place = 0; place < 8; place++) {
    for (let value = 0; value < 16; value++) {
      const char = value < 10 ? 0x30 + value : 0x57 + value
      const said = shift(value << (28 - place * 4), TAIL_BYTES)
      const written = shift(char ^ 0x30, FIRST_DIGIT + 1 - place)
      store<u32>(DIGITS + place * 128 + (char & 31) * 4, said ^ written)
    }
  }
}

/**
 * The checksum over the bytes from `start` to `end`, if they are lines of these lengths, each with a line end; -1 if the
 * lengths do not add up to them, or one is too long. Whether a line ends as it should is not looked at: if it does not,
 * the checksum over its bytes is another.
 */
export function expected(lines: i32, start: i32, end: i32): f64 {
  let sum: u32 = 0
  let at = start
  for (let line = 0; line < lines; line++) {
    const length = load<u32>(LENGTHS + line * 4)
    if (length < <u32>TAIL_BYTES || length >= MAX_LENGTH) return -1
    at += <i32>length + 1
    if (at > end) return -1
    // The checksum of two texts is that of the first, moved past the second, and that of the second.
    sum = shift(sum, <i32>length + 1) ^ zeroTail
    const digits = at - 1 - FIRST_DIGIT
    for (let place = 0; place < 8; place++) {
      sum ^= load<u32>(DIGITS + place * 128 + (<i32>load<u8>(digits + place) & 31) * 4)
    }
  }
  return at === end ? <f64>sum : -1
}

function shift(crc: u32, zeros: i32): u32 {
  let sum = crc
  for (let rest = zeros, table = SHIFTS; rest > 0; rest >>= 1, table += SHIFT_BYTES) {
    if ((rest & 1) !== 0) sum = shiftOnce(table, sum)
  }
  return sum
}

function shiftOnce(table: i32, sum: u32): u32 {
  return (
    load<u32>(table + <i32>(sum & 255) * 4) ^
    load<u32>(table + <i32>((sum >> 8) & 255) * 4, 1024) ^
    load<u32>(table + <i32>((sum >> 16) & 255) * 4, 2048) ^
    load<u32>(table + <i32>(sum >> 24) * 4, 3072)
  )
}

function afterZeroByte(value: u32): u32 {
  let sum = value
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >> 1) ^ 0xedb88320 : sum >> 1
  return sum
}
