/** What was looked for in the tree. */
export interface Found {
  readonly query: string
  readonly state: 'none' | 'asking' | 'there'
  readonly ids: readonly string[]
  /** The hit one is at; -1 before the first. */
  readonly at: number
  /** There are more than were fetched. */
  readonly isMore: boolean
}

export const NOTHING_FOUND: Found = { query: '', state: 'none', ids: [], at: -1, isMore: false }

export function nextHit(found: Found, step: 1 | -1): Found {
  const count = found.ids.length
  if (count === 0) return found
  const from = found.at < 0 && step < 0 ? 0 : found.at
  return { ...found, at: (from + step + count) % count }
}
