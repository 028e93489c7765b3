export type View = 'chat' | 'tree'

/** Where one is: in the address, so that it can be kept, shared and gone back from. */
export interface Route {
  readonly sessionId: string | undefined
  readonly view: View
  /** The node to land on. */
  readonly nodeId: string | undefined
}

export function parseRoute(url: URL): Route {
  const [, first, sessionId] = url.pathname.split('/')
  const isSession = first === 's' && sessionId !== undefined && sessionId !== ''
  return {
    sessionId: isSession ? decode(sessionId) : undefined,
    view: url.searchParams.get('view') === 'tree' ? 'tree' : 'chat',
    nodeId: url.searchParams.get('node') ?? undefined,
  }
}

/** What somebody typed may be no encoding of anything; then there is no such session, and the page says so. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function formatRoute({ sessionId, view, nodeId }: Route): string {
  const path = sessionId === undefined ? '/' : `/s/${encodeURIComponent(sessionId)}`
  const query = new URLSearchParams()
  if (view === 'tree') query.set('view', 'tree')
  if (nodeId !== undefined) query.set('node', nodeId)
  return query.size === 0 ? path : `${path}?${query}`
}
