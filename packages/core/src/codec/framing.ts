import { hasText, openWindow, textOf, type Window } from './window.ts'

/**
 * Finds the end of a line and, on the way, signs that the line holds more than one record: a second `"parentId":`, or
 * the end of one record followed by `{"type":"`. Quotes inside strings are escaped, so in valid JSON the first is rare
 * and the second never occurs.
 *
 * Reads four bytes at a time. Of the eight bytes from any position exactly one starts an aligned group of eight, so an
 * occurrence of an eleven-byte text always covers the first word of such a group: one table lookup per eight bytes finds
 * them all, and `confirm` looks closer where the table says maybe.
 */
const NEWLINE = 0x0a
export const PARENT = '"parentId":'
export const SPLICE = '}{"type":"'
const PARENT_TEXT = textOf(PARENT)
const SPLICE_TEXT = textOf(SPLICE)
/** The bytes that can stand before the closing brace of a record; with one of them SPLICE has eleven bytes too. */
export const BEFORE_CLOSE = '}]"0123456789el {\t\r'
const BEFORE_CLOSE_BYTES: ReadonlySet<number> = new Set(new TextEncoder().encode(BEFORE_CLOSE))
/** Bytes on either side of a seam that a text may straddle. */
export const SEAM_BYTES = 10
const FILTER_BITS = 12
/** Codes 1 to 8 say how far into PARENT a word stands, these and one below how far into SPLICE. */
const SPLICE_CODE = 10
const LAST_CODE = SPLICE_CODE + 6
const FILTER = buildFilter()

export interface LineEnd {
  /** Index of the line feed, or -1. */
  at: number
  suspicious: boolean
}

/** Sets `found` to the first line end in `[from, bytes.length)` and whether a second head stands before it. */
export function findLineEnd(window: Window, from: number, found: LineEnd): void {
  const { bytes, view, words, lead } = window
  const filter = FILTER
  const end = bytes.length
  found.at = -1
  found.suspicious = false
  let at = from
  for (; at < end && ((at + lead) & 7) !== 0; at++) {
    if (bytes[at] === NEWLINE) {
      found.at = at
      return
    }
  }
  if (at >= end) return
  // Literals instead of names in this loop: it runs for every byte of a log.
  let word = (at + lead) >>> 2
  const lastWord = ((end + lead) >>> 2) - 4
  for (; word <= lastWord; word += 4) {
    const first = words[word]!
    const third = words[word + 2]!
    const maybe = filter[Math.imul(first, 0x9e3779b1) >>> 20]! | (filter[Math.imul(third, 0x9e3779b1) >>> 20]! << 8)
    const a = first ^ 0x0a0a0a0a
    const b = words[word + 1]! ^ 0x0a0a0a0a
    const c = third ^ 0x0a0a0a0a
    const d = words[word + 3]! ^ 0x0a0a0a0a
    // The classic test for a zero byte in a word, on four words at once.
    const zero = ((a - 0x01010101) & ~a) | ((b - 0x01010101) & ~b) | ((c - 0x01010101) & ~c) | ((d - 0x01010101) & ~d)
    if (((zero & 0x80808080) | maybe) !== 0) {
      const group = word * 4 - lead
      at = group
      if ((zero & 0x80808080) === 0) at = end
      else while (bytes[at] !== NEWLINE) at++
      if (confirm(view, from, group, maybe & 255)) found.suspicious = true
      if (group + 8 < at && confirm(view, from, group + 8, maybe >>> 8)) found.suspicious = true
      if (at < end) {
        found.at = at
        return
      }
    }
  }
  for (at = word * 4 - lead; at < end; at++) {
    if (bytes[at] === NEWLINE) {
      found.at = at
      return
    }
    if (((at + lead) & 7) === 0 && confirmAny(view, from, at)) found.suspicious = true
  }
}

/**
 * Looks closer at the group of eight bytes at `group`, of which the filter gave `code`: where a text would start, at
 * `from` or after it. Neither text holds a line feed, so one that starts before it ends before it.
 */
function confirm(view: DataView, from: number, group: number, code: number): boolean {
  if (code === 0) return false
  if (code < SPLICE_CODE - 1) return group - code + 1 >= from && hasText(view, group - code + 1, PARENT_TEXT)
  const start = group - code + SPLICE_CODE
  return start > from && hasText(view, start, SPLICE_TEXT) && BEFORE_CLOSE_BYTES.has(view.getUint8(start - 1))
}

function confirmAny(view: DataView, from: number, group: number): boolean {
  for (let code = 1; code <= LAST_CODE; code++) if (confirm(view, from, group, code)) return true
  return false
}

/** Whether the bytes hold one of the texts anywhere: for the few bytes around a seam. */
export function hasSecondHead(bytes: Uint8Array): boolean {
  const { view } = openWindow(bytes)
  for (let group = 0; group < bytes.length; group += 8) if (confirmAny(view, 0, group)) return true
  return false
}

function hash(word: number): number {
  return Math.imul(word, 0x9e3779b1) >>> (32 - FILTER_BITS)
}

/** Maps a word's hash to the code of the text it may be part of: which text, and how far into it the word stands. */
function buildFilter(): Uint8Array {
  const filter = new Uint8Array(1 << FILTER_BITS)
  const add = (word: string, code: number): void => {
    const slot = hash(new Int32Array(new TextEncoder().encode(word).buffer)[0]!)
    if (filter[slot] !== 0 && filter[slot] !== code) throw new Error('The words of the framing filter collide')
    filter[slot] = code
  }
  for (let at = 0; at < 8; at++) add(PARENT.slice(at, at + 4), at + 1)
  for (let at = 0; at < 7; at++) add(SPLICE.slice(at, at + 4), at + SPLICE_CODE)
  for (const byte of BEFORE_CLOSE) add(`${byte}}{"`, SPLICE_CODE - 1)
  return filter
}
