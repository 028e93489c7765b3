import type { Home } from '../home.ts'
import type { HomePaths } from '../paths.ts'
import { searchIndex } from '../search/search.ts'
import type { SearchOptions, SearchPage } from '../search/search-types.ts'
import { findSessions } from './find-sessions.ts'
import { ensureIndexFolder, type IndexDatabase } from './index-database.ts'
import { IndexReader } from './index-reader.ts'
import { isAsLastSwept } from './last-sweep.ts'
import { listSessions } from './list.ts'
import { Refresher } from './refresher.ts'
import { savePage } from './save-page.ts'
import type {
  IndexedSession,
  ListOptions,
  RefreshOptions,
  RefreshReport,
  SessionIndex,
  SessionPage,
  UsageOptions,
  UsageReport,
} from './session-index.ts'
import type { SourceModule } from './session-source.ts'
import { loadSources, type Sources } from './sources.ts'
import { readTotals, type Totals } from './totals.ts'
import { readUsageReport } from './usage-report.ts'

export interface OpenIndexOptions {
  readonly home: Home
  /** Where other tools keep their sessions. */
  readonly sources?: readonly SourceModule[] | undefined
  /** False: all work is done in this thread, with the home's own storage. */
  readonly worker?: boolean | undefined
}

/**
 * Opens the index of a home. It is built when it is first asked something, or with `refresh`.
 *
 * @example
 * await using index = await openIndex({ home })
 * const { sessions } = await index.list({ cwd: process.cwd(), fresh: true })
 */
export async function openIndex({
  home,
  sources: modules = [],
  worker = true,
}: OpenIndexOptions): Promise<SessionIndex> {
  ensureIndexFolder(home.paths.indexFile)
  return new OpenIndex(home, await loadSources(home, modules), modules, worker)
}

const NOTHING_NEW: RefreshReport = { indexed: 0, removed: 0, problems: [] }

class OpenIndex implements SessionIndex {
  private readonly sources: Sources
  private readonly refresher: Refresher
  private readonly reader: IndexReader
  private readonly paths: HomePaths

  constructor(home: Home, sources: Sources, modules: readonly SourceModule[], worker: boolean) {
    this.sources = sources
    this.paths = home.paths
    this.refresher = new Refresher({ home, sources, modules, worker })
    this.reader = new IndexReader(home.paths, (signal) => this.refresher.refresh({ signal }))
  }

  async refresh(options: RefreshOptions = {}): Promise<RefreshReport> {
    const { withinMs } = options
    const isKnown = withinMs !== undefined && this.reader.look((db) => isAsLastSwept(db, this.sources, withinMs))
    return isKnown === true ? NOTHING_NEW : this.refresher.refresh(options)
  }

  async list(options: ListOptions = {}): Promise<SessionPage> {
    if (options.fresh) await this.refresher.refresh()
    const isFresh = options.fresh || options.refreshed
    const page = await this.reader.ask((db) => listSessions(db, this.sources, options, isFresh))
    if (isFresh) return page
    this.refresher.catchUp()
    return { ...page, pending: Math.max(page.pending, this.refresher.pending.length) }
  }

  async keepPage(key: string, make: () => Promise<Uint8Array | undefined>): Promise<void> {
    const before = this.reader.look((db) => ({ db, version: db.dataVersion }))
    const page = await make()
    if (page === undefined || before === undefined) return
    const { paths, sources } = this
    this.reader.look((db) => {
      if (db === before.db) savePage({ paths, db, sources, version: before.version, key, page })
    })
  }

  async search(query: string, options: SearchOptions = {}): Promise<SearchPage> {
    if (options.fresh) await this.refresher.refresh({ signal: options.signal })
    const { sources } = this
    const { pending } = this.refresher
    const search = (db: IndexDatabase) => searchIndex({ db, sources, pending, query, options })
    const page = await this.reader.ask(search, options.signal)
    this.refresher.catchUp()
    return page
  }

  async find(partOfId: string): Promise<readonly IndexedSession[]> {
    const look = () => this.reader.ask((db) => findSessions(db, this.sources, partOfId))
    const found = await look()
    if (found.length > 0 || partOfId === '') return found
    // It may have been made a moment ago.
    await this.refresher.refresh()
    return look()
  }

  totals(): Promise<Totals> {
    return this.reader.ask((db) => readTotals(db, this.sources))
  }

  async usage(options: UsageOptions = {}): Promise<UsageReport> {
    if (options.fresh) await this.refresher.refresh()
    return this.reader.ask((db) => readUsageReport(db, this.sources, options))
  }

  async close(): Promise<void> {
    await this.refresher.close()
    this.reader.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
