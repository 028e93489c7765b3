// AssemblyScript: the scanner's loop over bytes and lines as WebAssembly, which runs at full speed from its first line.
// `npm run build-wasm` compiles it into src/codec/scan-lines-wasm.ts. What a line means is decided in src/codec: a line
// that is not of the usual shape, in whatever way, is left to the scanner there.

/** Bytes of a line that began in an earlier chunk stand right before CHUNK. */
export const CHUNK: i32 = 256 * 1024
export const CHUNK_BYTES: i32 = 512 * 1024
/** Behind a chunk is room for a line end and for the last wide load. */
const AFTER_CHUNK: i32 = CHUNK + CHUNK_BYTES + 128

/** The texts of a head, 32 bytes for each, put here by the caller. */
export const TEXTS: i32 = AFTER_CHUNK
const TYPE = TEXTS
const ID = TEXTS + 32
const PARENT = TEXTS + 64
const NO_PARENT = TEXTS + 96
const TIMESTAMP = TEXTS + 128
const MESSAGE_ROLE = TEXTS + 160
const CUSTOM_TYPE = TEXTS + 192
const SECOND_HEAD = TEXTS + 224
const SPLICE = TEXTS + 256
const LINE_END = TEXTS + 288
/** Each byte that can stand before a SPLICE is 1 here. */
export const BEFORE_CLOSE: i32 = TEXTS + 320

/** Names of 4 to 27 bytes, 32 bytes for each: length, what it means, how to go on, 0, the name. Length 0 ends a table. */
export const KINDS: i32 = BEFORE_CLOSE + 256
export const ROLES: i32 = KINDS + 48 * 32
export const CUSTOM_TYPES: i32 = ROLES + 32 * 32
const NAME: i32 = 4

/** How to go on after the name of a kind: its row is complete, its role or custom type follows, or its body is needed. */
const PLAIN: u8 = 0
const MESSAGE: u8 = 1
const CUSTOM: u8 = 2
const PARSED: u8 = 3

/** Rows, a column after the other, as `Heads` has them. */
export const MAX_ROWS: i32 = 2048
export const KIND: i32 = CUSTOM_TYPES + 32 * 32
export const ROLE: i32 = KIND + MAX_ROWS
export const PARENT_FORM: i32 = ROLE + MAX_ROWS
export const LINE: i32 = PARENT_FORM + MAX_ROWS
export const LENGTH: i32 = LINE + MAX_ROWS * 4
export const ID_END: i32 = LENGTH + MAX_ROWS * 4
export const OFFSET: i32 = ID_END + MAX_ROWS * 8
export const TIME_MS: i32 = OFFSET + MAX_ROWS * 8
export const ID_BYTES: i32 = TIME_MS + MAX_ROWS * 8
const MAX_ID_BYTES: i32 = 128 * 1024
/** Longer names and ids are legal and rare: they are parsed. */
const MAX_NAME_BYTES: i32 = 256
const ID_ROOM: i32 = MAX_ID_BYTES - 2 * MAX_NAME_BYTES - 16

const QUOTE: u8 = 0x22
const CLOSE: u8 = 0x7d
const RETURN: u8 = 0x0d
const DAY_MS: f64 = 86400000

/** Rows written by the last call, and the id bytes of them. */
export let rowCount: i32 = 0
export let idByteCount: i32 = 0

// What `findQuote` and others found, beside what they return.
let meaning: u8 = 0
let next: u8 = 0
let timeMs: f64 = 0

/**
 * Takes the lines in `[start, end)` of the memory until one is not of the usual shape, has no line end or finds no room,
 * and returns where that one starts. `base` is where the memory's byte 0 would be in the log, `line` the number of the
 * line at `start`, `idsBefore` how many id bytes there are already.
 */
export function scanLines(start: i32, end: i32, base: f64, line: i32, idsBefore: i32): i32 {
  let row = 0
  let ids = ID_BYTES
  // A line feed behind the last byte stops every search; whatever is left there from another chunk is not looked at.
  store<u8>(end, 0x0a)
  while (start < end && row < MAX_ROWS && ids - ID_BYTES < ID_ROOM) {
    if (!same(start, TYPE, 9)) break
    const typeStart = start + 9
    const typeEnd = findQuote(typeStart)
    if (typeEnd < 0 || !same(typeEnd, ID, 8)) break
    const idStart = typeEnd + 8
    const idEnd = findQuote(idStart)
    if (idEnd <= idStart || !same(idEnd, PARENT, 13)) break
    let parentStart = idEnd + 13
    let parentEnd = parentStart
    let timeStart = parentStart + 18
    const isRoot = load<u8>(parentStart) !== QUOTE
    if (isRoot) {
      if (!same(parentStart, NO_PARENT, 18)) break
    } else {
      parentStart++
      parentEnd = findQuote(parentStart)
      if (parentEnd < 0 || !same(parentEnd, TIMESTAMP, 15)) break
      timeStart = parentEnd + 15
    }
    let at = timeStart + 24
    if (load<u8>(at) !== QUOTE || !readTime(timeStart)) break
    readName(KINDS, typeStart, typeEnd - typeStart)
    let kind = meaning
    let role: u8 = 0
    if (next !== PLAIN) {
      if (next === MESSAGE) {
        if (!same(at, MESSAGE_ROLE, 21)) break
        at = findQuote(at + 21)
        if (at < 0) break
        const roleStart = timeStart + 24 + 21
        readName(ROLES, roleStart, at - roleStart)
        role = meaning
      } else if (next === CUSTOM) {
        if (!same(at, CUSTOM_TYPE, 16)) break
        const nameStart = at + 16
        at = findQuote(nameStart)
        if (at < 0) break
        readCustomType(nameStart, at - nameStart, kind)
        if (next === PARSED) break
        kind = meaning
      } else break
    }
    const lineEnd = findLineEnd(at)
    if (lineEnd < 0 || lineEnd === end) break
    const stop = load<u8>(lineEnd - 1) === RETURN ? lineEnd - 1 : lineEnd
    if (load<u8>(stop - 1) !== CLOSE) break

    store<u8>(KIND + row, kind)
    store<u8>(ROLE + row, role)
    store<u8>(PARENT_FORM + row, isRoot ? 1 : 0)
    store<i32>(LINE + (row << 2), line)
    store<i32>(LENGTH + (row << 2), stop - start)
    store<f64>(OFFSET + (row << 3), base + <f64>start)
    store<f64>(TIME_MS + (row << 3), timeMs)
    ids = keep(ids, idStart, idEnd)
    store<i32>(ID_END + (row << 3), ids - ID_BYTES + idsBefore)
    ids = keep(ids, parentStart, parentEnd)
    store<i32>(ID_END + (row << 3) + 4, ids - ID_BYTES + idsBefore)
    row++
    line++
    start = lineEnd + 1
  }
  rowCount = row
  idByteCount = ids - ID_BYTES
  return start
}

/** The line feed at or after `from`; -1 when a sign of a second head stands before it. Both are in src/codec/framing.ts. */
function findLineEnd(from: i32): i32 {
  // Loaded, not constants: those would be made anew in every round.
  const newline = v128.load8_splat(LINE_END)
  const close = v128.load8_splat(SPLICE)
  const open = v128.load8_splat(SPLICE, 1)
  const t = v128.load8_splat(SECOND_HEAD, 6)
  const capitalI = v128.load8_splat(SECOND_HEAD, 7)
  let at = from
  while (true) {
    const a = v128.load(at)
    const b = v128.load(at, 16)
    const afterA = v128.load(at, 1)
    const afterB = v128.load(at, 17)
    // "tI" is in the middle of the one text, "}{" at the start of the other, and both are rare in any language.
    const signA = v128.or(
      v128.and(i8x16.eq(a, t), i8x16.eq(afterA, capitalI)),
      v128.and(i8x16.eq(a, close), i8x16.eq(afterA, open)),
    )
    const signB = v128.or(
      v128.and(i8x16.eq(b, t), i8x16.eq(afterB, capitalI)),
      v128.and(i8x16.eq(b, close), i8x16.eq(afterB, open)),
    )
    const endA = i8x16.eq(a, newline)
    const endB = i8x16.eq(b, newline)
    at += 32
    if (!v128.any_true(v128.or(v128.or(signA, signB), v128.or(endA, endB)))) continue
    const ends: u32 = i8x16.bitmask(endA) | (i8x16.bitmask(endB) << 16)
    let signs: u32 = i8x16.bitmask(signA) | (i8x16.bitmask(signB) << 16)
    // Only what stands before the line end.
    if (ends !== 0) signs &= (ends & -ends) - 1
    for (; signs !== 0; signs &= signs - 1) if (isSecondHead(at - 32 + ctz(signs), from)) return -1
    if (ends !== 0) return at - 32 + ctz(ends)
  }
}

function isSecondHead(at: i32, from: i32): bool {
  if (load<u8>(at) === CLOSE) return load<u8>(BEFORE_CLOSE + load<u8>(at - 1)) !== 0 && same(at, SPLICE, 10)
  return at - 6 >= from && same(at - 6, SECOND_HEAD, 11)
}

/** The closing quote of a string of plain ASCII; -1 when it holds an escape or anything that needs decoding. */
function findQuote(start: i32): i32 {
  const quote = i8x16.splat(QUOTE)
  const backslash = i8x16.splat(0x5c)
  const space = i8x16.splat(0x20)
  const del = i8x16.splat(0x7f)
  const limit = start + MAX_NAME_BYTES
  for (let at = start; at < limit; at += 16) {
    const bytes = v128.load(at)
    // As signed numbers, bytes beyond ASCII are below the space too.
    const odd = v128.or(i8x16.lt_s(bytes, space), v128.or(i8x16.eq(bytes, backslash), i8x16.eq(bytes, del)))
    const quotes: u32 = i8x16.bitmask(i8x16.eq(bytes, quote))
    const odds: u32 = i8x16.bitmask(odd)
    if ((quotes | odds) === 0) continue
    return quotes !== 0 && (odds & ((quotes & -quotes) - 1)) === 0 ? at + ctz(quotes) : -1
  }
  return -1
}

/** Sets `meaning` and `next` to what the table says of a name; its end says it of all others. */
function readName(table: i32, start: i32, length: i32): void {
  let entry = table
  while (load<u8>(entry) !== 0 && (<i32>load<u8>(entry) !== length || !same(start, entry + NAME, length))) entry += 32
  meaning = load<u8>(entry, 1)
  next = load<u8>(entry, 2)
}

/** The table's last name is a beginning: what is longer than it and begins so has its meaning. */
function readCustomType(start: i32, length: i32, otherwise: u8): void {
  meaning = otherwise
  next = PLAIN
  for (let entry = CUSTOM_TYPES; load<u8>(entry) !== 0; entry += 32) {
    const size = <i32>load<u8>(entry)
    const isLast = load<u8>(entry, 32) === 0
    if ((isLast ? length < size : length !== size) || !same(start, entry + NAME, size)) continue
    meaning = load<u8>(entry, 1)
    next = load<u8>(entry, 2)
    return
  }
}

/** Whether the bytes are equal; 4 to 32 of them. */
function same(a: i32, b: i32, length: i32): bool {
  if (length < 8) {
    return load<u32>(a) === load<u32>(b) && load<u32>(a + length - 4) === load<u32>(b + length - 4)
  }
  if (length <= 16) {
    return load<u64>(a) === load<u64>(b) && load<u64>(a + length - 8) === load<u64>(b + length - 8)
  }
  const first = v128.xor(v128.load(a), v128.load(b))
  const last = v128.xor(v128.load(a + length - 16), v128.load(b + length - 16))
  return !v128.any_true(v128.or(first, last))
}

/** Copies in steps of 16 bytes; what is written too much is overwritten by the next. */
function keep(to: i32, start: i32, end: i32): i32 {
  for (let at = start, into = to; at < end; at += 16, into += 16) v128.store(into, v128.load(at))
  return to + end - start
}

/** Sets `timeMs` from `YYYY-MM-DDTHH:MM:SS.mmmZ`; false when it is not plainly that, or 29 February. */
function readTime(at: i32): bool {
  if (load<u8>(at, 4) !== 0x2d || load<u8>(at, 7) !== 0x2d || load<u8>(at, 10) !== 0x54) return false
  if (load<u8>(at, 13) !== 0x3a || load<u8>(at, 16) !== 0x3a || load<u8>(at, 19) !== 0x2e) return false
  if (load<u8>(at, 23) !== 0x5a) return false
  const year = twoDigits(at) * 100 + twoDigits(at + 2)
  const month = twoDigits(at + 5)
  const day = twoDigits(at + 8)
  const hour = twoDigits(at + 11)
  const minute = twoDigits(at + 14)
  const second = twoDigits(at + 17)
  const milli = twoDigits(at + 20) * 10 + digit(at + 22)
  if (year < 0 || month < 1 || month > 12 || day < 1) return false
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 || milli < 0) return false
  // Days in the months before, and in this one: a year of 365 days counted from March has a formula for both.
  if (day > daysOf(month)) return false
  const date = daysBefore(year, month) + day - 1
  timeMs = <f64>(date - 719528) * DAY_MS + <f64>(((hour * 60 + minute) * 60 + second) * 1000 + milli)
  return true
}

function daysOf(month: i32): i32 {
  if (month === 2) return 28
  return 30 + ((month + (month >> 3)) & 1)
}

/** Days from the year 0 to the first of a month. */
function daysBefore(year: i32, month: i32): i32 {
  // From March on the months have 31, 30, 31, 30, 31 days, twice, and then the rest of that.
  const months = month > 2 ? month - 3 : month + 9
  const march = month > 2 ? year : year - 1
  const leaps = march < 0 ? -1 : march / 4 - march / 100 + march / 400
  return march * 365 + leaps + (months * 153 + 2) / 5 + 60
}

function twoDigits(at: i32): i32 {
  return digit(at) * 10 + digit(at + 1)
}

/** Far outside every range when it is none. */
function digit(at: i32): i32 {
  const value = <i32>load<u8>(at) - 0x30
  return value >= 0 && value <= 9 ? value : -1000000
}
