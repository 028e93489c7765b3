import { fold } from './fold.ts'
import { beginsWords, isWordStart, splitHumps } from './short-keys.ts'

/** Where the first of the terms is. */
export interface FirstMatch {
  /** In the text, in the folded text, or in that of the camelCase names split into words when the term begins one of these. */
  readonly at: number
  readonly of: 'text' | 'folded' | 'split'
  readonly term: string
}

const NOTHING: FirstMatch = { at: 0, of: 'text', term: '' }
/** Folding leaves these as they are, whatever stands beside them. */
const PLAIN = /^[!-~\u4e00-\u9fff]+$/
/** Of those. */
const CASED = /[a-z]/

/** The meaning of a query: all terms, none of the excluded. `undefined` for a text that is no hit. */
export function matchText(
  text: string,
  terms: readonly string[],
  excluded: readonly string[] = [],
): FirstMatch | undefined {
  if (terms.length === 0 && excluded.length === 0) return NOTHING
  const plain = excluded.length === 0 ? matchPlainly(text, terms) : undefined
  if (plain !== undefined) return plain
  const folded = fold(text)
  let split: string | undefined
  const find = (term: string): FirstMatch | undefined => {
    const at = findTerm(folded, term)
    if (at >= 0) return { at, of: 'folded', term }
    if (!beginsWords(term) || !folded.includes(term)) return undefined
    split ??= fold(splitHumps(text))
    const splitAt = findTerm(split, term)
    return splitAt < 0 ? undefined : { at: splitAt, of: 'split', term }
  }
  let first: FirstMatch | undefined
  for (const term of terms) {
    const found = find(term)
    if (found === undefined) return undefined
    if (first === undefined || found.at < first.at) first = found
  }
  return excluded.some((term) => find(term) !== undefined) ? undefined : (first ?? NOTHING)
}

/** Most hits are found without folding a long text; what is not found so has to be looked for. */
function matchPlainly(text: string, terms: readonly string[]): FirstMatch | undefined {
  if (terms.some((term) => !PLAIN.test(term) || beginsWords(term))) return undefined
  // Text that is not Latin takes long to lower, and does not matter to terms without case.
  const lower = terms.some((term) => CASED.test(term)) ? text.toLowerCase() : text
  if (lower.length !== text.length) return undefined
  let first: FirstMatch | undefined
  for (const term of terms) {
    const at = lower.indexOf(term)
    if (at < 0) return undefined
    if (first === undefined || at < first.at) first = { at, of: 'text', term }
  }
  return first
}

/** Anywhere; a short term of a script with spaces at the beginning of a word. -1 when it is not there. */
function findTerm(folded: string, term: string): number {
  const atWordStart = beginsWords(term)
  let at = folded.indexOf(term)
  while (at >= 0 && atWordStart && !isWordStart(folded, at)) at = folded.indexOf(term, at + 1)
  return at
}
