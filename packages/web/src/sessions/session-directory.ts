import { type BodyOf, RefusedError, type Routes, routes, type SessionSummary } from '@treeline/protocol'
import type { Connection } from '../server/connection.ts'
import { createStore, type Store } from '../state/store.ts'
import { explainProblem } from '../words/explain-problem.ts'
import { arrangeSessions, type ListFilter, mergePage, tagsOf } from './arrange-sessions.ts'

export interface DirectoryState {
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem?: string
  /** As they are shown. */
  readonly sessions: readonly SessionSummary[]
  readonly hasMore: boolean
  readonly filter: ListFilter
  readonly tags: readonly string[]
  /** Whether there is something to filter by. */
  readonly hasPinned: boolean
}

type Patch = Omit<BodyOf<Routes['patchSession']>, 'settings'>

const PAGE = 200
const SETTLE_MS = 250
/** A thousand sessions with the first page. */
const QUIET_PAGES = 4

/**
 * The list of sessions as this page has it: read as far as somebody scrolled, and right again when one of them changes. What
 * is changed here shows at once; what the server refuses is taken back.
 */
export class SessionDirectory {
  readonly state: Store<DirectoryState>
  private readonly store
  private readonly connection: Connection
  private loaded: readonly SessionSummary[] = []
  /** Known, but not in the list: one that is open and nothing was said in yet, or that the filter leaves out. */
  private readonly others = new Map<string, SessionSummary>()
  private readonly pending = new Map<string, Partial<SessionSummary>>()
  private readonly gone = new Set<string>()
  private readonly changed = new Set<string>()
  private openId: string | undefined
  private tags: readonly string[] = []
  private hasPinned = false
  private cursor: string | null = null
  private filter: ListFilter = { tag: undefined, pinned: false, archived: false }
  /** Answers to an earlier question are not for this one. */
  private question = 0
  private isBusy = false
  private settling: ReturnType<typeof setTimeout> | undefined

  constructor(connection: Connection) {
    this.connection = connection
    this.store = createStore<DirectoryState>({
      ...{ status: 'loading', sessions: [], hasMore: false, tags: [], hasPinned: false },
      filter: this.filter,
    })
    this.state = this.store
  }

  /** Reads the list and follows it. Gives a function that ends it. */
  follow(): () => void {
    void this.reload()
    const stop = this.connection.stream.followList((ids) => {
      if (ids === undefined) void this.reload()
      else this.note(ids)
    })
    return () => {
      clearTimeout(this.settling)
      stop()
    }
  }

  summary(sessionId: string): SessionSummary | undefined {
    const known = this.loaded.find((one) => one.sessionId === sessionId) ?? this.others.get(sessionId)
    return known && { ...known, ...this.pending.get(sessionId) }
  }

  /** The one that is open stands in the list, whatever was said in it. */
  open(sessionId: string | undefined): void {
    this.openId = sessionId
    if (sessionId !== undefined && this.summary(sessionId) === undefined) void this.ask(sessionId)
    else this.show()
  }

  setFilter(change: Partial<ListFilter>): void {
    this.filter = { ...this.filter, ...change }
    this.show()
    void this.reload()
  }

  async reload(): Promise<void> {
    const question = ++this.question
    try {
      const { items, nextCursor } = await this.page(undefined)
      if (question !== this.question) return
      this.loaded = items
      this.cursor = nextCursor
      this.show('ready')
      void this.readOn(question)
    } catch (error) {
      if (question !== this.question) return
      this.store.update((state) => ({ ...state, status: 'failed', problem: explainProblem(error) }))
    }
  }

  async loadMore(): Promise<void> {
    if (this.isBusy || this.cursor === null) return
    this.isBusy = true
    const question = this.question
    try {
      const { items, nextCursor } = await this.page(this.cursor)
      if (question !== this.question) return
      this.loaded = mergePage(items, this.loaded, new Set()).sessions
      this.cursor = nextCursor
      this.show()
    } finally {
      this.isBusy = false
    }
  }

  /** Shown at once; taken back when the server refuses. */
  async patch(sessionId: string, change: Patch): Promise<void> {
    const mine = { ...this.pending.get(sessionId), ...(change as Partial<SessionSummary>) }
    this.pending.set(sessionId, mine)
    this.show()
    try {
      this.take(await this.connection.call(routes.patchSession, { params: { sessionId }, body: change }))
    } finally {
      // A later change of the same one answers for itself.
      if (this.pending.get(sessionId) === mine) this.pending.delete(sessionId)
      this.show()
    }
  }

  async trash(sessionId: string): Promise<void> {
    this.gone.add(sessionId)
    this.show()
    try {
      await this.connection.call(routes.deleteSession, { params: { sessionId } })
      this.drop(sessionId)
    } finally {
      this.gone.delete(sessionId)
      this.show()
    }
  }

  /** From the trash. It stands in the list at once; where the filter has it the next page tells. */
  async restore(sessionId: string, trashId?: string): Promise<void> {
    const body = trashId === undefined ? {} : { trashId }
    const summary = await this.connection.call(routes.restoreSession, { params: { sessionId }, body })
    this.loaded = mergePage(this.loaded, [summary], new Set()).sessions
    this.show()
  }

  /** What is pinned stands first however old it is, and every tag is offered: for that some more are read when there is time. */
  private async readOn(question: number): Promise<void> {
    for (let pages = 0; pages < QUIET_PAGES && this.cursor !== null && question === this.question; pages++) {
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
      // Scrolling to the end asks again, and says what is wrong.
      await this.loadMore().catch(() => {})
    }
  }

  private note(ids: readonly string[]): void {
    for (const id of ids) this.changed.add(id)
    this.settling ??= setTimeout(() => {
      this.settling = undefined
      void this.catchUp()
    }, SETTLE_MS)
  }

  private async catchUp(): Promise<void> {
    const changed = new Set(this.changed)
    this.changed.clear()
    const question = this.question
    try {
      const { items, nextCursor } = await this.page(undefined)
      if (question !== this.question) return
      const { sessions, toAsk } = mergePage(this.loaded, items, changed)
      // What was on the page and is not any more is gone, or not for this filter.
      if (this.loaded.length <= PAGE || items.length < PAGE) this.cursor = nextCursor
      this.loaded = sessions
      this.show('ready')
      const others = [...this.others.keys()].filter((id) => changed.has(id))
      // What is on its way to the trash is not asked for: it may be there already.
      const asked = [...toAsk, ...others].filter((id) => !this.gone.has(id))
      await Promise.all(asked.map((id) => this.ask(id)))
    } catch (error) {
      this.store.update((state) => ({ ...state, problem: explainProblem(error) }))
    }
  }

  private page(cursor: string | undefined) {
    const { tag, pinned, archived } = this.filter
    const wanted = { ...(tag && { tag }), ...(pinned && { starred: pinned }), ...(archived && { archived }) }
    const query = { limit: PAGE, ...(cursor && { cursor }), ...wanted }
    return this.connection.call(routes.listSessions, { query })
  }

  private async ask(sessionId: string): Promise<void> {
    try {
      this.take(await this.connection.call(routes.getSession, { params: { sessionId } }))
    } catch (error) {
      // Of one that is not there any more the view that has it open says so.
      if (!(error instanceof RefusedError)) throw error
      this.drop(sessionId)
    }
    this.show()
  }

  private take(summary: SessionSummary): void {
    const at = this.loaded.findIndex(({ sessionId }) => sessionId === summary.sessionId)
    if (at < 0) this.others.set(summary.sessionId, summary)
    else this.loaded = this.loaded.with(at, summary)
  }

  private drop(sessionId: string): void {
    this.loaded = this.loaded.filter((one) => one.sessionId !== sessionId)
    this.others.delete(sessionId)
  }

  private show(status: DirectoryState['status'] = this.store.get().status): void {
    const { loaded, others, gone, openId, filter } = this
    const open = openId === undefined ? undefined : others.get(openId)
    // Part of the list knows some of them only: those that were seen stay until all of it is known.
    const isWhole = filter.tag === undefined && !filter.pinned && this.cursor === null
    this.tags = isWhole ? tagsOf(loaded) : [...new Set([...this.tags, ...tagsOf(loaded)])]
    const isOutside = open !== undefined && !loaded.some(({ sessionId }) => sessionId === openId)
    const isPinned = ({ sessionId, starred }: SessionSummary) => this.pending.get(sessionId)?.starred ?? starred
    this.hasPinned = loaded.some(isPinned) || (!isWhole && this.hasPinned)
    const listed = (isOutside ? [open, ...loaded] : loaded).filter(({ sessionId }) => !gone.has(sessionId))
    this.store.set({
      status,
      sessions: arrangeSessions(listed, this.pending, filter),
      hasMore: this.cursor !== null,
      filter,
      tags: this.tags,
      hasPinned: this.hasPinned,
    })
  }
}

const directories = new WeakMap<Connection, SessionDirectory>()

export function directoryOf(connection: Connection): SessionDirectory {
  const directory = directories.get(connection) ?? new SessionDirectory(connection)
  directories.set(connection, directory)
  return directory
}
