import type { SessionIndex } from '@treeline/store'

/** Told which sessions are otherwise than they were: made, changed or gone. Must not throw, and must not wait. */
export type ListListener = (ids: readonly string[]) => void

export interface SessionListOptions {
  readonly index: Pick<SessionIndex, 'list'>
  readonly onProblem: (error: unknown) => void
  /** How often listeners are told at most. */
  readonly tellEveryMs?: number
  /** How often the index is asked for what others did, while somebody listens. */
  readonly lookEveryMs?: number
}

const TELL_EVERY_MS = 500
const LOOK_EVERY_MS = 2_000
/** What others do, they do in the sessions that were active last. */
const LOOK_AT = 100

/**
 * What changes in the list of sessions, for those who follow it (`sessions.updated`). What is done through this server is
 * noted at once; what terminals do in sessions that are not open here is found by looking at the newest of the index.
 */
export class SessionList implements Disposable {
  private readonly options: SessionListOptions
  private readonly listeners = new Set<ListListener>()
  private readonly changed = new Set<string>()
  private telling: NodeJS.Timeout | undefined
  private looking: NodeJS.Timeout | undefined
  /** What each session was like when it was last looked at. */
  private known: ReadonlyMap<string, string> | undefined
  private isClosed = false
  private noted = 0
  private seen = 0

  constructor(options: SessionListOptions) {
    this.options = options
  }

  /** A session was made, changed or removed. */
  note(sessionId: string): void {
    this.noted++
    if (this.listeners.size === 0 || this.isClosed) return
    this.changed.add(sessionId)
    this.telling ??= setTimeout(() => this.tell(), this.options.tellEveryMs ?? TELL_EVERY_MS)
  }

  /** How many changes were noted, and how many of them the index has seen. */
  get changes(): { readonly noted: number; readonly seen: number } {
    return { noted: this.noted, seen: this.seen }
  }

  /** The index has looked at everything since so many were noted. */
  noteSeen(count: number): void {
    this.seen = Math.max(this.seen, count)
  }

  /** Gives a function that ends it. */
  listen(listener: ListListener): () => void {
    this.listeners.add(listener)
    if (this.listeners.size === 1) void this.look()
    return () => {
      this.listeners.delete(listener)
      if (this.listeners.size === 0) this.rest()
    }
  }

  [Symbol.dispose](): void {
    this.isClosed = true
    this.listeners.clear()
    this.rest()
  }

  private tell(): void {
    this.telling = undefined
    const ids = [...this.changed]
    this.changed.clear()
    for (const listener of [...this.listeners]) listener(ids)
  }

  private async look(): Promise<void> {
    clearTimeout(this.looking)
    try {
      const { sessions } = await this.options.index.list({ limit: LOOK_AT, empty: true, archived: true })
      const found = new Map(
        sessions.flatMap(({ id, ...it }) => (id === undefined ? [] : [[id, `${it.sizeBytes} ${it.lastActiveAt}`]])),
      )
      if (this.known !== undefined) {
        for (const [id, state] of found) if (this.known.get(id) !== state) this.note(id)
        // One that is no longer among the newest may only have been pushed out by others.
        const isAll = sessions.length < LOOK_AT
        if (isAll) for (const id of this.known.keys()) if (!found.has(id)) this.note(id)
      }
      this.known = found
    } catch (error) {
      this.options.onProblem(error)
    }
    if (this.listeners.size === 0 || this.isClosed) return
    clearTimeout(this.looking)
    this.looking = setTimeout(() => void this.look(), this.options.lookEveryMs ?? LOOK_EVERY_MS)
  }

  /** Nobody listens: nothing is looked at, and nothing is remembered that would be old by the next time. */
  private rest(): void {
    clearTimeout(this.telling)
    clearTimeout(this.looking)
    this.telling = undefined
    this.changed.clear()
    this.known = undefined
  }
}
