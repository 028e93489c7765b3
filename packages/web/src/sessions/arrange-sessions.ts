import type { SessionSummary } from '@treeline/protocol'

export interface ListFilter {
  readonly tag: string | undefined
  /** Only what is pinned. */
  readonly pinned: boolean
  /** Also what was archived. */
  readonly archived: boolean
}

/** What was asked of the server and not answered yet, by session. */
export type Pending = ReadonlyMap<string, Partial<SessionSummary>>

/** As they are shown: with what was changed here a moment ago, those that the filter leaves, pinned ones first, then by activity. */
export function arrangeSessions(
  sessions: Iterable<SessionSummary>,
  pending: Pending,
  { tag, pinned, archived }: ListFilter,
): readonly SessionSummary[] {
  const shown: SessionSummary[] = []
  for (const session of sessions) {
    const change = pending.get(session.sessionId)
    const now = change === undefined ? session : { ...session, ...change }
    const isOfTag = tag === undefined || now.tags.includes(tag)
    if ((archived || !now.archived) && (!pinned || now.starred) && isOfTag) shown.push(now)
  }
  return shown.sort(
    (a, b) =>
      Number(b.starred) - Number(a.starred) || (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0),
  )
}

/**
 * The list after something in it changed: the newest page as it is now, and of what was loaded before it all that nobody
 * touched. What changed and is not on that page has to be asked for by itself.
 */
export function mergePage(
  loaded: readonly SessionSummary[],
  page: readonly SessionSummary[],
  changed: ReadonlySet<string>,
): { readonly sessions: readonly SessionSummary[]; readonly toAsk: readonly string[] } {
  const onPage = new Set(page.map(({ sessionId }) => sessionId))
  const rest = loaded.filter(({ sessionId }) => !onPage.has(sessionId))
  const toAsk = rest.flatMap(({ sessionId }) => (changed.has(sessionId) ? [sessionId] : []))
  return { sessions: [...page, ...rest], toAsk }
}

/** All tags that are known, for the filter. */
export function tagsOf(sessions: Iterable<SessionSummary>): readonly string[] {
  const tags = new Set<string>()
  for (const session of sessions) for (const tag of session.tags) tags.add(tag)
  return [...tags].sort((a, b) => a.localeCompare(b))
}

export function isForeign({ tool }: SessionSummary): boolean {
  return tool !== 'treeline'
}
