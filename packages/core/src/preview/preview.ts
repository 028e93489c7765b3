import { columnsOf } from './columns.ts'
import { graphemesOf } from './graphemes.ts'
import { plainText } from './plain-text.ts'

const ELLIPSIS = '…'
/** Room for long emoji, stacked accents and colour codes; with less left of it than asked for, the text counts as cut. */
const UNITS_PER_GRAPHEME = 32
const SPARE_UNITS = 1024
/** A first try. */
const FEW_UNITS = 2
const ESC = '\u001b'
const ESCAPES = new RegExp(`[${ESC}\u0080-\u009f]`)

// Most texts are of letters that take one unit, one character and one column each, and need no search for clusters.
const LATIN = /^[ -~\u00c0-\u02ff]*$/
const LATIN_LINE = /^[!-~\u00c0-\u02ff]+(?: [!-~\u00c0-\u02ff]+)*$/

const one = (): number => 1

/**
 * One line to recognise a text by: plain, every run of white space one space, at most so many characters as a person
 * counts them (X38), the last of which is `…` when something was left out. The cost does not grow with the text beyond
 * trimming it.
 *
 * @example
 * preview('Where to?\n\n  Anywhere warm.', 16) // 'Where to? Anywh…'
 */
export function preview(text: string, graphemes = 80): string {
  return shorten(text, graphemes, one)
}

/** As `preview`, but at most so many columns of a terminal: Chinese characters and emoji take two. */
export function previewColumns(text: string, columns: number): string {
  return shorten(text, columns, columnsOf)
}

/** As `preview`, but cut without a sign: the formats of P22 and P26. */
export function firstGraphemes(text: string, graphemes: number): string {
  return startOf(text, graphemes, one).text
}

type Measure = (grapheme: string) => number

function shorten(text: string, limit: number, measure: Measure): string {
  if (!(limit > 0)) return ''
  const { text: start, shorter, cut } = startOf(text, limit, measure)
  return cut ? shorter + ELLIPSIS : start
}

interface Start {
  readonly text: string
  /** With room for a sign. */
  readonly shorter: string
  /** Whether `text` is less than all of the original. */
  readonly cut: boolean
}

interface OneLine {
  readonly text: string
  /** Whether the original goes on. */
  readonly cut: boolean
}

function startOf(text: string, limit: number, measure: Measure): Start {
  if (text.length <= limit && LATIN_LINE.test(text)) return { text, shorter: text, cut: false }
  const trimmed = text.trim()
  // Nearly always enough. What begins an escape may have its end further on, and is not text then.
  const few = trimmed.slice(0, Math.ceil(limit) * FEW_UNITS + FEW_UNITS)
  const isEnough = few.length < trimmed.length && !ESCAPES.test(few)
  const first = isEnough ? take({ text: oneLine(few).trimStart(), cut: true }, limit, measure) : undefined
  if (first?.isSure) return first
  const many = trimmed.slice(0, Math.ceil(limit) * UNITS_PER_GRAPHEME + SPARE_UNITS)
  const line = oneLine(many)
  // A space at the end of a text that goes on stays for now: it tells that the word before it is whole.
  const isCut = many.length < trimmed.length
  return take({ text: isCut ? line.trimStart() : line.trim(), cut: isCut }, limit, measure)
}

function oneLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ')
}

/** The last cluster of a text that goes on is never taken: it may be half of what it is. Sure: it was not needed either. */
function take({ text, cut }: OneLine, limit: number, measure: Measure): Start & { readonly isSure: boolean } {
  if (LATIN.test(text)) {
    const length = cut ? text.length - 1 : text.length
    const end = Math.min(limit, length)
    if (end >= text.length) return { text, shorter: text, cut: false, isSure: true }
    const upTo = (at: number) => text.slice(0, Math.max(0, at)).trimEnd()
    return { text: upTo(end), shorter: upTo(Math.min(limit - 1, length)), cut: true, isSure: limit < length }
  }
  let end = 0
  let taken = 0
  let shorterEnd = 0
  for (const grapheme of graphemesOf(text)) {
    const isBroken = cut && end + grapheme.length === text.length
    taken += measure(grapheme)
    if (taken > limit || isBroken) {
      const shorter = text.slice(0, shorterEnd).trimEnd()
      return { text: text.slice(0, end).trimEnd(), shorter, cut: true, isSure: !isBroken }
    }
    end += grapheme.length
    if (taken <= limit - 1) shorterEnd = end
  }
  return { text, shorter: text, cut: false, isSure: true }
}
