import type { SearchResult } from './run-search.ts'

/** What there is to say behind the results: that there may be more, or that there is nothing. */
export function describeEnd(
  { endedBy, unreadable, found }: SearchResult,
  limit: number,
  nothing: string | undefined,
): string[] {
  const notes: string[] = []
  if (endedBy === 'limit') notes.push(`the first ${limit}; there is more: narrow the search or raise limit`)
  if (endedBy === 'time')
    notes.push(`ended after ${found.length}: it took too long; narrow the search or simplify the pattern`)
  else if (nothing !== undefined) notes.push(nothing)
  if (unreadable > 0) notes.push(`${unreadable} could not be read`)
  return notes.length === 0 ? [] : [`[${notes.join('; ')}]`]
}
