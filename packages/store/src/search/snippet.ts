import { mapFolding, unfoldOffset } from './fold-map.ts'
import type { FirstMatch } from './match-text.ts'
import type { Snippet } from './search-types.ts'
import { beginsWords, isWordStart, splitHumps, unsplitOffset } from './short-keys.ts'

const SNIPPET_CHARS = 160
const CHARS_BEFORE = 48
/** A snippet begins with a word if one begins this close. */
const CHARS_TO_WORD = 16
/** More than a character that a person sees is made of, usually. */
const GRAPHEME_CHARS = 32
const BLANKS = /[\s\p{Cc}]+/gu
const BLANK = /[\s\p{Cc}]/u
const NOT_ASCII = /\P{ASCII}/u
const HUMP_START = /^(?:[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll})/u

/** Made when first needed: it takes longer than everything else in this module. */
let graphemes: Intl.Segmenter | undefined

/** Some of the text around its first match, on one line, and where in it the terms are. */
export function makeSnippet(text: string, first: FirstMatch, terms: readonly string[]): Snippet {
  const matchAt = originalOffset(text, first)
  const start = snippetStart(text, matchAt)
  const end = graphemeBoundary(text, start + SNIPPET_CHARS)
  const before = oneLine(text.slice(start, matchAt)).trimStart()
  const shown = (before + oneLine(text.slice(matchAt, end))).trim()
  const isWhole = start === 0 || BLANK.test(text.charAt(start - 1))
  const matches = findMatches(shown, terms, isWhole)
  // A phrase that is longer than the snippet begins in it.
  if (matches.length === 0 && first.term !== '') matches.push([before.length, shown.length])
  return { text: shown, matches }
}

function oneLine(text: string): string {
  return text.replace(BLANKS, ' ')
}

function originalOffset(text: string, { at, of }: FirstMatch): number {
  if (of === 'text') return at
  if (of === 'folded') return unfoldOffset(text, at)
  return unsplitOffset(text, unfoldOffset(splitHumps(text), at))
}

function snippetStart(text: string, matchAt: number): number {
  const wanted = matchAt - CHARS_BEFORE
  if (wanted <= 0) return 0
  for (let at = wanted; at < Math.min(matchAt, wanted + CHARS_TO_WORD); at++) {
    if (BLANK.test(text.charAt(at - 1)) && !BLANK.test(text.charAt(at))) return at
  }
  return Math.min(matchAt, graphemeBoundary(text, wanted))
}

/** The first place from here on that is not within what a person sees as one character. */
function graphemeBoundary(text: string, at: number): number {
  if (at >= text.length) return text.length
  if (!NOT_ASCII.test(text.slice(at - 1, at + 1))) return at
  const from = Math.max(0, at - GRAPHEME_CHARS)
  const around = text.slice(from, at + GRAPHEME_CHARS)
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const { index } of graphemes.segment(around)) if (from + index >= at) return from + index
  return Math.min(text.length, at + GRAPHEME_CHARS)
}

function findMatches(shown: string, terms: readonly string[], isWhole: boolean): (readonly [number, number])[] {
  const { folded, unitAt } = mapFolding(shown)
  const ranges: (readonly [number, number])[] = []
  for (const term of terms) {
    const atWordStart = beginsWords(term)
    for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + term.length)) {
      const from = unitAt(at)[0]
      const isStart = at === 0 ? isWhole : isWordStart(folded, at) || HUMP_START.test(shown.slice(from - 1, from + 2))
      if (!atWordStart || isStart) ranges.push([from, unitAt(at + term.length - 1)[1]])
    }
  }
  return joinRanges(ranges)
}

function joinRanges(ranges: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const joined: [number, number][] = []
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}
