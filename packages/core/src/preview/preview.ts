import { columnsOf } from './columns.ts'
import { graphemesOf } from './graphemes.ts'
import { plainText } from './plain-text.ts'

const ELLIPSIS = '…'
/** Room for long emoji, stacked accents and colour codes; with less left of it than asked for, the text counts as cut. */
const UNITS_PER_GRAPHEME = 32
const SPARE_UNITS = 1024

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
  return take(oneLine(text, graphemes), graphemes, one).text
}

type Measure = (grapheme: string) => number

function shorten(text: string, limit: number, measure: Measure): string {
  if (!(limit > 0)) return ''
  const line = oneLine(text, limit)
  const whole = take(line, limit, measure)
  if (!whole.cut) return whole.text
  return take(line, limit - 1, measure).text + ELLIPSIS
}

interface Start {
  readonly text: string
  /** Whether `text` is less than all of the original. */
  readonly cut: boolean
}

function oneLine(text: string, limit: number): Start {
  if (text.length <= limit && LATIN_LINE.test(text)) return { text, cut: false }
  const trimmed = text.trim()
  const start = trimmed.slice(0, Math.ceil(limit) * UNITS_PER_GRAPHEME + SPARE_UNITS)
  const line = plainText(start).replace(/\s+/g, ' ')
  // A space at the end of a text that goes on stays for now: it tells that the word before it is whole.
  return start.length < trimmed.length ? { text: line.trimStart(), cut: true } : { text: line.trim(), cut: false }
}

/** The last cluster of a text that goes on is never taken: it may be half of what it is. */
function take(line: Start, limit: number, measure: Measure): Start {
  const { text } = line
  if (LATIN.test(text)) {
    const end = Math.min(limit, line.cut ? text.length - 1 : text.length)
    return end < text.length ? { text: text.slice(0, Math.max(0, end)).trimEnd(), cut: true } : line
  }
  let end = 0
  let taken = 0
  for (const grapheme of graphemesOf(text)) {
    const isBroken = line.cut && end + grapheme.length === text.length
    taken += measure(grapheme)
    if (taken > limit || isBroken) return { text: text.slice(0, end).trimEnd(), cut: true }
    end += grapheme.length
  }
  return line
}
