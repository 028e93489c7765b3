import type { IndexedSession, ListOptions, SessionIndex } from '../session-index/session-index.ts'

/** For a picker: the last few, at once, from what the index knows already (S34). */
export async function getRecentSessions(
  index: SessionIndex,
  options: ListOptions = {},
): Promise<readonly IndexedSession[]> {
  const { sessions } = await index.list({ limit: 3, ...options })
  return sessions
}

/**
 * The session of ours that `--continue` takes up: of this project by its header, latest by its last event and not by its
 * file's time (X72), with or without a prompt in it (S27). None is `undefined`, never an error (N41).
 */
export async function findMostRecentSession(
  index: SessionIndex,
  { cwd }: { readonly cwd?: string | undefined } = {},
): Promise<IndexedSession | undefined> {
  for await (const session of eachSession(index, { cwd, source: 'treeline', empty: true })) {
    // Without a header it is of no project for certain.
    if (session.problem === undefined && session.id !== undefined) return session
  }
  return undefined
}

/** All sessions of one project, every tool's, as of the files now (S34). */
export function list(index: SessionIndex, cwd: string): Promise<IndexedSession[]> {
  return collect(eachSession(index, { cwd }))
}

/** All sessions there are, every tool's, as of the files now (S34). */
export function listAll(index: SessionIndex): Promise<IndexedSession[]> {
  return collect(eachSession(index, {}))
}

const PAGE = 200

async function* eachSession(index: SessionIndex, options: ListOptions): AsyncGenerator<IndexedSession> {
  let page = await index.list({ ...options, limit: PAGE, fresh: true })
  yield* page.sessions
  while (page.next !== undefined) {
    page = await index.list({ ...options, limit: PAGE, after: page.next })
    yield* page.sessions
  }
}

async function collect(sessions: AsyncIterable<IndexedSession>): Promise<IndexedSession[]> {
  const all: IndexedSession[] = []
  for await (const session of sessions) all.push(session)
  return all
}
