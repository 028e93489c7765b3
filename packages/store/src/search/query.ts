import { TreelineError } from '@treeline/core'
import { type Filters, filterOf, filtersOf } from './filters.ts'
import { fold } from './fold.ts'
import type { SearchOptions } from './search-types.ts'

/** A query as it is carried out. Terms are folded and not empty. */
export interface Query {
  readonly terms: readonly string[]
  readonly excluded: readonly string[]
  readonly filters: Filters
}

const MAX_CHARS = 1000
const MAX_TERMS = 32
/** A quotation, closed or not, or anything up to a blank or a quotation mark. */
const PART = /(?<not>-(?=[^\s-]))?(?:(?<name>[a-z]+):)?(?:"(?<quoted>[^"]*)"?|(?<word>[^\s"]+))/gu

/**
 * Words, `"phrases"`, `-word`, and filters as people type them: `role:user tool:bash path:src error:true since:2026-01-01`.
 * There is no wrong query: what is no filter is looked for as text. Options win over the same filter in the query.
 */
export function parseQuery(query: string, options: SearchOptions): Query {
  if (typeof query !== 'string') throw new TreelineError('validation_failed', 'The query is no text. Give a string.')
  if (query.length > MAX_CHARS) {
    const message = `The query has ${query.length} characters; ${MAX_CHARS} are the most. Look for a part of it.`
    throw new TreelineError('validation_failed', message)
  }
  const terms = new Set<string>()
  const excluded = new Set<string>()
  let filters: Filters = {}
  for (const { groups = {} } of query.matchAll(PART)) {
    const { not, name, quoted, word } = groups
    const value = quoted ?? word ?? ''
    const filter = not === undefined && name !== undefined ? filterOf(name, value) : undefined
    if (filter !== undefined) {
      filters = { ...filters, ...filter }
      continue
    }
    const texts = name === undefined ? [value] : quoted === undefined ? [`${name}:${word}`] : [`${name}:`, quoted]
    for (const term of texts.map((text) => fold(text).trim())) {
      if (term !== '') (not === undefined ? terms : excluded).add(term)
    }
  }
  if (terms.size + excluded.size > MAX_TERMS) {
    const message = `The query has more than ${MAX_TERMS} words. Leave some out, or put them in quotation marks.`
    throw new TreelineError('validation_failed', message)
  }
  return { terms: [...terms], excluded: [...excluded], filters: { ...filters, ...filtersOf(options) } }
}
