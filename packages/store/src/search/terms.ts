import { keysOfTerm } from './short-keys.ts'

/** Queries for the two tables of candidates; `undefined` where they cannot help. */
export interface IndexQuery {
  readonly grams: string | undefined
  readonly words: string | undefined
}

/** More trigrams of a term make fewer candidates and a slower search. */
const MAX_GRAMS_PER_TERM = 6
const MAX_GRAMS = 32
const GRAM = 3

/** Every text that has all terms has all of these tokens. Each is quoted by itself, so that none of them is syntax. */
export function indexQuery(terms: readonly string[]): IndexQuery {
  const grams = new Set<string>()
  const words = new Set<string>()
  for (const term of terms) {
    const chars = [...term]
    if (chars.length < GRAM) for (const key of keysOfTerm(term)) words.add(key)
    else if (grams.size < MAX_GRAMS) for (const gram of someGrams(chars)) grams.add(gram)
  }
  return { grams: allOf(grams), words: allOf(words) }
}

/** The first, the last, and some spread between them. */
function someGrams(chars: readonly string[]): string[] {
  const last = chars.length - GRAM
  const count = Math.min(MAX_GRAMS_PER_TERM, Math.ceil(last / GRAM) + 1)
  const grams: string[] = []
  for (let i = 0; i < count; i++) {
    const at = count === 1 ? 0 : Math.round((last * i) / (count - 1))
    grams.push(chars.slice(at, at + GRAM).join(''))
  }
  return grams
}

function allOf(tokens: ReadonlySet<string>): string | undefined {
  if (tokens.size === 0) return undefined
  return Array.from(tokens, (token) => `"${token.replaceAll('"', '""')}"`).join(' AND ')
}
