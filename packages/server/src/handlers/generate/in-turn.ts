import type { LiveSession } from '../../hub/live-session.ts'

const last = new WeakMap<LiveSession, Map<string, Promise<unknown>>>()

/** One after the other under the same id: a client that is impatient gets what its first attempt began (D3). */
export async function inTurn<T>(live: LiveSession, id: string | undefined, work: () => Promise<T>): Promise<T> {
  if (id === undefined) return work()
  const waiting = last.get(live) ?? new Map<string, Promise<unknown>>()
  last.set(live, waiting)
  const before = waiting.get(id) ?? Promise.resolve()
  const done = before.then(work, work)
  waiting.set(id, done)
  try {
    return await done
  } finally {
    if (waiting.get(id) === done) waiting.delete(id)
  }
}
