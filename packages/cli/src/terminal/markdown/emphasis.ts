import type { Part } from './parse-inline.ts'

interface Opener {
  readonly part: number
  readonly mark: string
  readonly length: number
  readonly isCloser: boolean
  left: number
}

/** More than anyone nests; it bounds the search for a counterpart. */
const MAX_OPEN = 32
const PUNCTUATION = /[\p{P}\p{S}]/u
/** After these a star does not open, against the book: in 2*3*4 it would go missing. */
const LATIN = /[0-9A-Za-z]/
/** Written without spaces: there, a mark between punctuation and a letter may well open or close. */
const IDEOGRAPHIC = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/

/** Pairs `*`, `**` and `_` as CommonMark does. To be called after each part that is a run of them. */
export function emphasisPairer(parts: readonly Part[]): (text: string, index: number, run: string) => void {
  const openers: Opener[] = []
  return (text, index, run) => {
    const { isOpener, isCloser } = sidesOf(text, index, run)
    const part = parts.length - 1
    const left = isCloser ? close(parts, openers, run, isOpener) : run.length
    parts[part]!.text = run.slice(0, left)
    if (!isOpener || left === 0) return
    openers.push({ part, mark: run[0]!, length: run.length, isCloser, left })
    if (openers.length > MAX_OPEN) openers.shift()
  }
}

/** How many marks of the run that is the last part found no counterpart. */
function close(parts: readonly Part[], openers: Opener[], run: string, isOpener: boolean): number {
  const closing = parts.at(-1)!
  let left = run.length
  for (let at = openers.length - 1; at >= 0 && left > 0; at--) {
    const opener = openers[at]!
    if (opener.mark !== run[0] || !canPair(opener, run.length, isOpener)) continue
    const first = parts[opener.part + 1]!
    while (left > 0 && opener.left > 0) {
      const kind = Math.min(left, opener.left) >= 2 ? 'bold' : 'italic'
      const width = kind === 'bold' ? 2 : 1
      left -= width
      opener.left -= width
      first[kind]++
      closing[kind]--
    }
    const opening = parts[opener.part]!
    opening.text = opening.text.slice(0, opener.left)
    openers.length = opener.left > 0 ? at + 1 : at
  }
  return left
}

/** The rule of three: `*a**b*` is one span. */
function canPair(opener: Opener, length: number, isOpener: boolean): boolean {
  if (!opener.isCloser && !isOpener) return true
  return (opener.length + length) % 3 !== 0 || (opener.length % 3 === 0 && length % 3 === 0)
}

function sidesOf(text: string, index: number, run: string): { isOpener: boolean; isCloser: boolean } {
  const before = text[index - 1] ?? ' '
  const after = text[index + run.length] ?? ' '
  const isLeft = leansTo(after, before)
  const isRight = leansTo(before, after)
  if (run[0] === '*') return { isOpener: isLeft && !LATIN.test(before), isCloser: isRight }
  // snake_case_names are left alone.
  return {
    isOpener: isLeft && (!isRight || PUNCTUATION.test(before)),
    isCloser: isRight && (!isLeft || PUNCTUATION.test(after)),
  }
}

function leansTo(near: string, far: string): boolean {
  if (/\s/.test(near)) return false
  return !PUNCTUATION.test(near) || /\s/.test(far) || PUNCTUATION.test(far) || IDEOGRAPHIC.test(far)
}
