import type { IndexedSession, ListOrder, SearchHit, SessionIndex } from '@treeline/store'
import { noPages, Pages } from './pages.ts'
import { hitRow, type PickerRow, sessionRow } from './picker-row.ts'
import { threadRows } from './thread-rows.ts'

/** Where a search looks: in names and first prompts, in all that was said, or first in one and then in the other. */
export type Searched = 'both' | 'names' | 'text'

/** What is to be seen. */
export interface Wanted {
  /** Only of this project. */
  readonly cwd: string | undefined
  readonly order: ListOrder
  readonly query: string
  readonly searched: Searched
}

export interface ListingOptions extends Wanted {
  readonly index: SessionIndex
  /** How many to a page; the first may hold more. */
  readonly count: number
  readonly firstCount: number
  /** The index knows the files as they are: nobody has to look at them. */
  readonly isFresh: boolean
  readonly signal: AbortSignal
}

/** When both are searched: names are few or too many to go through, and what was said is to be seen, too. */
const NAMES_FIRST = 6

/** The sessions, or what was found, as far as it was read. */
export class Listing {
  readonly names: Pages<IndexedSession>
  readonly hits: Pages<SearchHit>
  private readonly wanted: Wanted

  constructor(options: ListingOptions) {
    const { query, searched } = options
    this.wanted = options
    this.names = query !== '' && searched === 'text' ? noPages() : namePages(options)
    this.hits = query === '' || searched === 'names' ? noPages() : hitPages(options)
  }

  /** Both parts at once; told whenever one has come. */
  async readFirst(onRead: () => void): Promise<void> {
    await Promise.all([this.names, this.hits].map((pages) => pages.more().then(onRead)))
  }

  rows(isThreaded: boolean): readonly PickerRow[] {
    const { query, searched } = this.wanted
    const { names, hits } = this
    if (query === '') return isThreaded ? threadRows(names.items) : names.items.map((session) => sessionRow(session))
    const shown = searched === 'both' ? names.items.slice(0, NAMES_FIRST) : names.items
    return [...shown.map((session) => sessionRow(session)), ...hits.items.map(hitRow)]
  }

  /** Another name, or none, before the index knows of it. */
  rename(path: string, given: string): void {
    const { names, hits } = this
    const name = given === '' ? undefined : given
    names.items = names.items.map((session) => (session.path === path ? { ...session, name } : session))
    hits.items = hits.items.map((hit) => (hit.path === path ? { ...hit, sessionName: name } : hit))
  }

  /** A session that has gone, likewise. */
  remove(path: string): void {
    this.names.items = this.names.items.filter((session) => session.path !== path)
    this.hits.items = this.hits.items.filter((hit) => hit.path !== path)
  }

  /** Whether names were left out for the sake of what was said. */
  get hasMoreNames(): boolean {
    const { query, searched } = this.wanted
    return query !== '' && searched === 'both' && this.names.items.length > NAMES_FIRST
  }

  /** What goes on at the end of the rows. */
  get tail(): Pages<unknown> {
    const { query, searched } = this.wanted
    return query === '' || searched === 'names' ? this.names : this.hits
  }
}

function namePages({ index, cwd, order, query, isFresh, ...counts }: ListingOptions): Pages<IndexedSession> {
  const words = query === '' ? {} : { match: query, fuzzy: true }
  return new Pages(async (after) => {
    const page = { limit: limitOf(counts, after), after, refreshed: isFresh }
    const { sessions, next } = await index.list({ cwd, order, ...words, ...page })
    return { items: sessions, next }
  })
}

function hitPages({ index, cwd, query, signal, ...counts }: ListingOptions): Pages<SearchHit> {
  return new Pages(async (after) => {
    const { hits, next } = await index.search(query, { cwd, limit: limitOf(counts, after), after, signal })
    return { items: hits, next }
  })
}

function limitOf(
  { count, firstCount }: Pick<ListingOptions, 'count' | 'firstCount'>,
  after: string | undefined,
): number {
  return after === undefined ? firstCount : count
}
