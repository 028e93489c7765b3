import { fold } from './fold.ts'
import { beginsWords, isWordStart, splitHumps } from './short-keys.ts'

/** Where the first of the terms is. */
export interface FirstMatch {
  /** In the folded text. */
  readonly at: number
  readonly term: string
  /** The folded text is that of the camelCase names split into words, because the term begins one of these. */
  readonly isSplit: boolean
}

const NOTHING: FirstMatch = { at: 0, term: '', isSplit: false }

/** The meaning of a query: all terms, none of the excluded. `undefined` for a text that is no hit. */
export function matchText(
  text: string,
  terms: readonly string[],
  excluded: readonly string[] = [],
): FirstMatch | undefined {
  if (terms.length === 0 && excluded.length === 0) return NOTHING
  const folded = fold(text)
  let split: string | undefined
  const find = (term: string): FirstMatch | undefined => {
    const at = findTerm(folded, term)
    if (at >= 0) return { at, term, isSplit: false }
    if (!beginsWords(term) || !folded.includes(term)) return undefined
    split ??= fold(splitHumps(text))
    const splitAt = findTerm(split, term)
    return splitAt < 0 ? undefined : { at: splitAt, term, isSplit: true }
  }
  let first: FirstMatch | undefined
  for (const term of terms) {
    const found = find(term)
    if (found === undefined) return undefined
    if (first === undefined || found.at < first.at) first = found
  }
  return excluded.some((term) => find(term) !== undefined) ? undefined : (first ?? NOTHING)
}

/** Anywhere; a short term of a script with spaces at the beginning of a word. -1 when it is not there. */
function findTerm(folded: string, term: string): number {
  const atWordStart = beginsWords(term)
  let at = folded.indexOf(term)
  while (at >= 0 && atWordStart && !isWordStart(folded, at)) at = folded.indexOf(term, at + 1)
  return at
}
