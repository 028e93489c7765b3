import { TreelineError } from '@treeline/core'
import { Pace } from '../session-index/pace.ts'
import type { SessionSource } from '../session-index/session-source.ts'
import type { SearchDatabase } from './candidate-sql.ts'
import { type Candidate, Candidates } from './candidates.ts'
import type { FoundHit } from './hit.ts'
import { comparePositions, readCursor, writeCursor } from './order.ts'
import { parseQuery } from './query.ts'
import { type PendingFile, scanPending } from './scan-pending.ts'
import type { SearchOptions, SearchPage } from './search-types.ts'
import { verify } from './verify.ts'

export interface SearchRequest {
  /** Only read. */
  readonly db: SearchDatabase
  /** By name. */
  readonly sources: ReadonlyMap<string, SessionSource>
  /** Files that the index does not know as they are now: they are read themselves while there is time. */
  readonly pending: readonly PendingFile[]
  readonly query: string
  readonly options?: SearchOptions | undefined
  /** For files that are not indexed. */
  readonly budgetMs?: number | undefined
}

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 500
const BUDGET_MS = 250
/** Read together: enough for a page, not so many that others have to wait. */
const MAX_BATCH = 64
const MIN_BATCH = 8

/**
 * Newest hits first, exactly: what a look at every node of every log would find. The index names candidates, the logs
 * decide; only as many are read as the page needs. Neither words nor filters: an empty page.
 */
export async function searchIndex(request: SearchRequest): Promise<SearchPage> {
  const { db, sources, pending, options = {}, budgetMs = BUDGET_MS } = request
  const query = parseQuery(request.query, options)
  const limit = readLimit(options.limit)
  const after = readCursor(options.after)
  const { terms, excluded, filters } = query
  if (terms.length + excluded.length === 0 && Object.keys(filters).length === 0) {
    return { hits: [], next: undefined, pending: 0 }
  }
  const pace = new Pace(options.signal ?? new AbortController().signal, { rests: false })
  const includesDeleted = options.deleted === true
  const scanned = await scanPending({ sources, pending, query, includesDeleted, after, pace, budgetMs })
  const leftOut = scanned.done
  const candidates = new Candidates({ db, sources, terms, filters, includesDeleted, after, leftOut, pace })
  const unread = new Set(pending.map(({ path }) => path).filter((path) => !scanned.done.has(path)))
  // One more than the page holds says whether there is another.
  const found: FoundHit[] = [...scanned.hits].sort(byPosition).slice(0, limit + 1)
  let batch: Candidate[]
  do {
    batch = await candidates.next(Math.min(MAX_BATCH, Math.max(MIN_BATCH, limit + 1 - found.length)))
    found.push(...(await verify({ sources, query, pace, unread }, batch)))
    found.sort(byPosition)
    found.splice(limit + 1)
  } while (batch.length > 0 && isOpen(found, limit, batch))
  for (const path of candidates.findReindexed()) unread.add(path)
  const hits = found.slice(0, limit)
  const last = hits.at(-1)
  return {
    hits: hits.map(({ hit }) => hit),
    next: found.length > limit && last !== undefined ? writeCursor(last.position) : undefined,
    pending: unread.size,
  }
}

/** Whether a later candidate, which stands behind all of this batch, may still be on the page. */
function isOpen(found: readonly FoundHit[], limit: number, batch: readonly Candidate[]): boolean {
  const worst = found[limit]
  const last = batch.at(-1)
  return worst === undefined || (last !== undefined && comparePositions(last, worst.position) < 0)
}

function byPosition(a: FoundHit, b: FoundHit): number {
  return comparePositions(a.position, b.position)
}

function readLimit(limit: unknown): number {
  if (limit === undefined) return DEFAULT_LIMIT
  if (Number.isInteger(limit) && Number(limit) >= 1) return Math.min(MAX_LIMIT, Number(limit))
  throw new TreelineError('validation_failed', `The search cannot give this many hits. Ask for 1 to ${MAX_LIMIT}.`)
}
