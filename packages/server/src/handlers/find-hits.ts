import { TreelineError } from '@treeline/core'
import type { SearchHit } from '@treeline/protocol'
import type { SearchHit as Found, SearchOptions, SearchRole, SessionIndex } from '@treeline/store'

/** As the wire asks. */
export interface HitsAsked extends Omit<SearchOptions, 'role'> {
  readonly role?: string | undefined
}

export interface Hits {
  readonly hits: SearchHit[]
  readonly nextCursor: string | null
}

const DEFAULT_LIMIT = 50
/** So often one more page of the index is asked for, where most of what it finds is not wanted. */
const MAX_PAGES = 20

/** Which of the index's roles are meant by one of the wire. */
const ROLES: ReadonlyMap<string, readonly SearchRole[]> = new Map<SearchHit['role'], readonly SearchRole[]>([
  ['user', ['user']],
  ['assistant', ['assistant']],
  ['tool', ['toolResult', 'bashExecution']],
  ['system', ['system', 'custom', 'summary', 'other']],
])

/** A page of what the index finds, as it goes over the wire: newest first, each of a session that can be asked for. */
export async function findHits(
  index: Pick<SessionIndex, 'search'>,
  q: string,
  { role, after, fresh, limit = DEFAULT_LIMIT, ...options }: HitsAsked,
  isAskable: (sessionId: string) => boolean = () => true,
): Promise<Hits> {
  const roles = rolesOf(role)
  const only = roles?.length === 1 ? roles[0] : undefined
  const hits: SearchHit[] = []
  let next = after
  for (let page = 0; page < MAX_PAGES; page++) {
    const found = await index.search(q, {
      ...options,
      role: only,
      after: next,
      limit: limit - hits.length,
      fresh: fresh && page === 0,
    })
    for (const hit of found.hits) {
      const { sessionId } = hit
      const isWanted = sessionId !== undefined && isAskable(sessionId) && (roles?.includes(hit.role) ?? true)
      if (isWanted) hits.push(toHit(sessionId, hit))
    }
    next = found.next
    if (next === undefined || hits.length === limit) break
  }
  return { hits, nextCursor: next ?? null }
}

function rolesOf(role: string | undefined): readonly SearchRole[] | undefined {
  if (role === undefined) return undefined
  const roles = ROLES.get(role)
  if (roles !== undefined) return roles
  throw new TreelineError('bad_request', `\`role\` is one of ${[...ROLES.keys()].join(', ')}.`)
}

function roleOf(role: SearchRole): SearchHit['role'] {
  if (role === 'user' || role === 'assistant') return role
  return role === 'toolResult' || role === 'bashExecution' ? 'tool' : 'system'
}

function toHit(sessionId: string, { nodeId, role, snippet, time, sessionName }: Found): SearchHit {
  return {
    sessionId,
    nodeId,
    role: roleOf(role),
    snippet: snippet.text,
    matches: snippet.matches.map(([from, to]) => [from, to]),
    timestamp: time ?? new Date(0).toISOString(),
    title: sessionName ?? '',
  }
}
