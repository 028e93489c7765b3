import { routes, type SearchHit, type SessionSummary } from '@treeline/protocol'
import type { Connection } from '../server/connection.ts'
import { createStore } from '../state/store.ts'
import { explainProblem } from '../words/explain-problem.ts'

export interface Found {
  readonly query: string
  readonly isBusy: boolean
  readonly sessions: readonly SessionSummary[]
  readonly hits: readonly SearchHit[]
  readonly nextCursor: string | null
  readonly problem?: string
}

const NOTHING: Found = { query: '', isBusy: false, sessions: [], hits: [], nextCursor: null }
const WAIT_MS = 200
const NAMES = 6
const HITS = 40

/** Looks through all sessions: what they are called, and what is said in them. Of several questions the last counts. */
export class SessionSearch {
  readonly found = createStore<Found>(NOTHING)
  private readonly connection: Connection
  private waiting: ReturnType<typeof setTimeout> | undefined
  private asking = new AbortController()

  constructor(connection: Connection) {
    this.connection = connection
  }

  lookFor(text: string): void {
    clearTimeout(this.waiting)
    this.asking.abort()
    const query = text.trim().slice(0, 1_000)
    if (query === '') {
      this.found.set(NOTHING)
      return
    }
    // What was found before stays until there is something better to show.
    this.found.update((found) => ({ ...found, query, isBusy: true }))
    this.waiting = setTimeout(() => void this.ask(query), WAIT_MS)
  }

  async more(): Promise<void> {
    const { query, nextCursor, isBusy } = this.found.get()
    if (isBusy || nextCursor === null) return
    this.found.update((found) => ({ ...found, isBusy: true }))
    const { signal } = this.asking
    try {
      const page = await this.connection.call(routes.search, {
        query: { q: query, limit: HITS, cursor: nextCursor },
        signal,
      })
      this.found.update((found) => ({
        ...found,
        isBusy: false,
        hits: [...found.hits, ...page.hits],
        nextCursor: page.nextCursor,
      }))
    } catch (error) {
      this.fail(error, signal)
    }
  }

  private async ask(query: string): Promise<void> {
    this.asking = new AbortController()
    const { signal } = this.asking
    try {
      const [named, said] = await Promise.all([
        this.connection.call(routes.listSessions, { query: { q: query, limit: NAMES, archived: true }, signal }),
        this.connection.call(routes.search, { query: { q: query, limit: HITS }, signal }),
      ])
      if (signal.aborted) return
      this.found.set({ query, isBusy: false, sessions: named.items, hits: said.hits, nextCursor: said.nextCursor })
    } catch (error) {
      this.fail(error, signal)
    }
  }

  private fail(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return
    this.found.update((found) => ({ ...found, isBusy: false, problem: explainProblem(error) }))
  }
}
