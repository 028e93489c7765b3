import type { ListOrder, RefreshProgress, SessionIndex } from '@treeline/store'
import { goTo, type ListMove, type ListState, moveList, rowsInSight, START } from '../lists/list-state.ts'
import { Listing, type Searched } from './listing.ts'
import type { PickerRow } from './picker-row.ts'

export interface BrowserParts {
  readonly index: () => Promise<SessionIndex>
  readonly cwd: string
  readonly height: number
  /** Something has come that is to be shown. */
  readonly onNews: () => void
}

/** After the last key: a search for every letter of a word would be wasted. */
const SEARCH_AFTER_MS = 80
/** So soon after a look at all files a look at what is likely to have changed will do (ADR 5). */
const WITHIN_MS = 10_000
const MIN_PAGE = 32
/** As many as a list of the index may have. */
const MAX_PAGE = 10_000

const ORDERS: readonly ListOrder[] = ['active', 'created', 'name', 'size']
const SEARCHED: readonly Searched[] = ['both', 'names', 'text']

/** Somebody's way through the sessions. Class: keys come faster than frames, and answers later than either. */
export class SessionBrowser {
  scope: 'folder' | 'all' = 'folder'
  order: ListOrder = 'active'
  searched: Searched = 'both'
  isThreaded = true
  query = ''
  rows: readonly PickerRow[] = []
  list: ListState = START
  /** How far the index is with files that have changed; nothing when it is done. */
  progress: RefreshProgress | undefined
  problem: string | undefined
  private readonly parts: BrowserParts
  private height: number
  private isFresh = false
  private asked: { readonly stop: AbortController; readonly listing: Listing } | undefined
  /** What the rows are of: the one that was asked for last, once some of it has come. */
  private shown: Listing | undefined
  private timer: NodeJS.Timeout | undefined
  private readonly closing = new AbortController()
  /** Where the user went. */
  private anchor: string | undefined
  /** What is asked for is something else than what is shown: it is looked at from its beginning. */
  private isAnew = false

  constructor(parts: BrowserParts) {
    this.parts = parts
    this.height = parts.height
  }

  /** Shows what the index has, and beside that lets it catch up. */
  start(): void {
    void this.ask()
    void this.refresh(WITHIN_MS)
  }

  close(): void {
    clearTimeout(this.timer)
    this.asked?.stop.abort()
    this.closing.abort()
  }

  get chosen(): PickerRow | undefined {
    return this.rows[this.list.cursor]
  }

  get inSight(): readonly number[] {
    return rowsInSight(this.list, this.rows.length, this.height)
  }

  /** What is shown is not what was asked for, or not all of it. */
  get isReading(): boolean {
    if (this.timer !== undefined || this.shown !== this.asked?.listing) return true
    return this.shown === undefined || this.shown.names.isReading || this.shown.hits.isReading
  }

  /** Whether there are more than the rows that were read. */
  get hasMore(): boolean {
    return this.shown?.tail.hasMore ?? false
  }

  get hasMoreNames(): boolean {
    return this.shown?.hasMoreNames ?? false
  }

  resize(height: number): void {
    this.height = height
    this.list = goTo(this.list, this.list.cursor, this.rows.length, height)
  }

  move(move: ListMove): void {
    this.list = moveList(this.list, move, this.rows.length, this.height)
    this.anchor = this.chosen?.key
    this.readAhead()
  }

  toggleScope(): void {
    this.scope = this.scope === 'folder' ? 'all' : 'folder'
    this.askAnew()
  }

  nextOrder(): void {
    this.order = following(ORDERS, this.order)
    this.askAnew()
  }

  nextSearched(): void {
    this.searched = following(SEARCHED, this.searched)
    this.askAnew()
  }

  toggleThreads(): void {
    this.isThreaded = !this.isThreaded
    this.layOut()
  }

  search(query: string): void {
    this.query = query.trimStart()
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.askAnew(), SEARCH_AFTER_MS)
  }

  /** What was just done to a session is shown before the index knows of it. */
  renamed(path: string, name: string): Promise<void> {
    this.shown?.rename(path, name)
    this.layOut()
    return this.refresh()
  }

  /** The cursor goes to what stands behind the one that is gone. */
  trashed(path: string): Promise<void> {
    this.anchor = undefined
    this.shown?.remove(path)
    this.layOut()
    return this.refresh()
  }

  /** Lets the index catch up, and then shows what it says. It looks at all files, unless it did so a moment ago. */
  async refresh(withinMs?: number): Promise<void> {
    const { signal } = this.closing
    try {
      const index = await this.parts.index()
      const onProgress = (progress: RefreshProgress) => this.tell({ progress })
      const { indexed, removed } = await index.refresh({ withinMs, onProgress, signal })
      this.isFresh = true
      this.tell({ progress: undefined })
      if (indexed + removed > 0) await this.ask(this.rows.length)
    } catch (error) {
      this.fail(error)
    }
  }

  private askAnew(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.isAnew = true
    void this.ask()
  }

  /** Whatever was asked for before is not waited for any more. */
  private async ask(count = 0): Promise<void> {
    this.asked?.stop.abort()
    this.asked = undefined
    const stop = new AbortController()
    const { closing } = this
    try {
      const index = await this.parts.index()
      if (closing.signal.aborted || this.asked !== undefined) return
      const { order, searched, isFresh, height } = this
      const wanted = {
        cwd: this.scope === 'all' ? undefined : this.parts.cwd,
        order,
        query: this.query.trim(),
        searched,
      }
      const page = Math.max(MIN_PAGE, 2 * height)
      const counts = { count: page, firstCount: Math.min(MAX_PAGE, Math.max(page, count)) }
      const listing = new Listing({ ...wanted, ...counts, index, isFresh, signal: stop.signal })
      this.asked = { stop, listing }
      await listing.readFirst(() => this.take(listing))
      this.take(listing)
    } catch (error) {
      if (!stop.signal.aborted) this.fail(error)
    }
  }

  /** An answer to what is no longer asked is dropped. */
  private take(listing: Listing): void {
    if (this.asked?.listing !== listing) return
    if (this.isAnew) {
      this.isAnew = false
      this.anchor = undefined
      this.list = START
    }
    this.shown = listing
    this.problem = undefined
    this.layOut()
  }

  /** The cursor stays with what the user has chosen, if that is still there. */
  private layOut(): void {
    this.rows = this.shown?.rows(this.isThreaded) ?? []
    const { anchor, rows, list, height } = this
    const row = anchor === undefined ? -1 : rows.findIndex(({ key }) => key === anchor)
    this.list = goTo(list, row >= 0 ? row : list.cursor, rows.length, height)
    this.readAhead()
    this.parts.onNews()
  }

  private readAhead(): void {
    const listing = this.shown
    if (listing === undefined || !listing.tail.hasMore || listing.tail.isReading) return
    if (this.list.top + 2 * this.height <= this.rows.length) return
    listing.tail.more().then(
      (hasRead) => hasRead && this.take(listing),
      (error: unknown) => this.asked?.listing === listing && this.fail(error),
    )
  }

  private fail(error: unknown): void {
    if (this.closing.signal.aborted) return
    this.tell({ problem: error instanceof Error ? error.message : String(error), progress: undefined })
  }

  private tell(change: Partial<Pick<SessionBrowser, 'problem' | 'progress'>>): void {
    Object.assign(this, change)
    if (!this.closing.signal.aborted) this.parts.onNews()
  }
}

function following<T>(all: readonly T[], one: T): T {
  return all[(all.indexOf(one) + 1) % all.length]!
}
