import type { IndexedSession, SessionIndex } from '../session-index/session-index.ts'

const PAGE = 500

/** Our own sessions, also empty and archived ones, latest first; as they are now. */
export async function* allSessions(
  index: SessionIndex,
  { cwd, signal }: { readonly cwd?: string | undefined; readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<IndexedSession> {
  let after: string | undefined
  do {
    signal?.throwIfAborted()
    const fresh = after === undefined
    const common = { cwd, source: 'treeline', empty: true, archived: true, limit: PAGE }
    const page = await index.list({ ...common, after, fresh })
    yield* page.sessions
    after = page.next
  } while (after !== undefined)
}
