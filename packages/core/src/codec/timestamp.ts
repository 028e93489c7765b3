/** Bytes of `YYYY-MM-DDTHH:MM:SS.mmmZ`, the form every tool of this field writes. */
export const ISO_BYTES = 24
const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const DAY_MS = 86_400_000
const DAYS_TO_1970 = 719_528
/** Far outside every range, so that one bad digit fails the comparison of its number. */
const NOT_A_DIGIT = -1_000_000

/** Milliseconds since 1970 of the ISO timestamp at `at`, or NaN when the 24 bytes are not plainly of that form. */
export function parseIsoMs(bytes: Uint8Array, at: number): number {
  if (
    bytes[at + 4] !== 0x2d ||
    bytes[at + 7] !== 0x2d ||
    bytes[at + 10] !== 0x54 ||
    bytes[at + 13] !== 0x3a ||
    bytes[at + 16] !== 0x3a ||
    bytes[at + 19] !== 0x2e ||
    bytes[at + 23] !== 0x5a
  ) {
    return Number.NaN
  }
  const year = twoDigits(bytes, at) * 100 + twoDigits(bytes, at + 2)
  const month = twoDigits(bytes, at + 5)
  const day = twoDigits(bytes, at + 8)
  const hour = twoDigits(bytes, at + 11)
  const minute = twoDigits(bytes, at + 14)
  const second = twoDigits(bytes, at + 17)
  const milli = twoDigits(bytes, at + 20) * 10 + digit(bytes[at + 22])
  // 29 February is left to `Date.parse`; every other day is decided here.
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > DAYS_OF_MONTH[month - 1]!) return Number.NaN
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 || milli < 0) return Number.NaN
  const days = year * 365 + countLeapDays(month > 2 ? year + 1 : year) + DAYS_BEFORE_MONTH[month - 1]! + day - 1
  return (days - DAYS_TO_1970) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + milli
}

/** Leap days in the years 0 to `year - 1`; the year 0 is one. */
function countLeapDays(year: number): number {
  if (year === 0) return 0
  const last = year - 1
  return (last >> 2) - ((last / 100) | 0) + ((last / 400) | 0) + 1
}

function twoDigits(bytes: Uint8Array, at: number): number {
  return digit(bytes[at]) * 10 + digit(bytes[at + 1])
}

function digit(byte: number | undefined): number {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : NOT_A_DIGIT
}
