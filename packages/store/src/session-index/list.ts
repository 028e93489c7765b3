import { TreelineError } from '@treeline/core'
import { timeValue } from '../search/filters.ts'
import { errnoOf } from '../storage-error.ts'
import { decodeCursor, encodeCursor, type ListCursor } from './cursor.ts'
import { hasWords } from './has-words.ts'
import { BrokenIndexError, type IndexDatabase } from './index-database.ts'
import type { ListOptions, ListOrder, SessionPage } from './session-index.ts'
import { SESSION_COLUMNS, type SessionRow, shownText, toListedFile, toSession } from './session-row.ts'
import type { Sources } from './sources.ts'

const USUAL_LIMIT = 50
const MAX_LIMIT = 10_000
/** Read at once while words are looked for; between two slices others get their turn. */
const MATCH_SLICE = 1000
/** How long a list looks at the files it shows. */
const LOOK_MS = 2
const ALL_AS_KNOWN = { gone: new Set<SessionRow>(), changed: 0 } as const

/** By what a list is in order, and with `path` where that is the same. Only `active` has an index: the others sort. */
const ORDERS: Readonly<Record<ListOrder, { readonly key: string; readonly isDown: boolean }>> = {
  active: { key: 'last_active_ms', isDown: true },
  created: { key: 'created_ms', isDown: true },
  size: { key: 'size', isDown: true },
  name: {
    key: "lower(substr(coalesce(nullif(trim(name), ''), nullif(trim(first_prompt), ''), path), 1, 80))",
    isDown: false,
  },
}

/**
 * A page as the index has it. `pending` counts the files of the page that are not as the index knows them; where all were
 * looked at a moment ago, that is none.
 */
export async function listSessions(
  db: IndexDatabase,
  sources: Sources,
  options: ListOptions,
  isFresh = false,
): Promise<SessionPage> {
  const limit = checkLimit(options.limit)
  const rows = await readRows(db, sources, options, limit + 1)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  const { gone, changed } = isFresh ? ALL_AS_KNOWN : lookAtFiles(sources, page)
  return {
    sessions: page.filter((row) => !gone.has(row)).map(toSession),
    next: last && encodeCursor(placeOf(last)),
    pending: gone.size + changed,
  }
}

async function readRows(
  db: IndexDatabase,
  sources: Sources,
  options: ListOptions,
  wanted: number,
): Promise<SessionRow[]> {
  const words = options.match?.toLowerCase().split(/\s+/).filter(Boolean) ?? []
  const slice = words.length === 0 ? wanted : MATCH_SLICE
  const found: SessionRow[] = []
  for (let after = options.after === undefined ? undefined : decodeCursor(options.after); ; ) {
    const { sql, values } = pageQuery(sources, options, after)
    const rows = db.selectLists(sql, [...values, slice])
    for (const row of rows) {
      if (found.length < wanted && hasWords(shownText(row), words, options.fuzzy)) found.push(row)
    }
    if (rows.length < slice || found.length >= wanted) return found
    after = placeOf(rows.at(-1)!)
    await new Promise(setImmediate)
  }
}

/** Only the shape of the text depends on what was asked for; what was said is bound. */
function pageQuery(
  sources: Sources,
  { cwd, source, since, until, empty, archived, tag, pinned, order = 'active', reversed = false }: ListOptions,
  after: ListCursor | undefined,
): { readonly sql: string; readonly values: readonly (string | number)[] } {
  const names = source === undefined ? [...sources.keys()] : [source].filter((name) => sources.has(name))
  const conditions = [`source IN (${names.map(() => '?').join(', ')})`]
  const values: (string | number)[] = [...names]
  if (cwd !== undefined) {
    conditions.push('cwd = ?')
    values.push(cwd)
  }
  // What is damaged is shown, whether or not a prompt could be found in it (I7).
  if (!empty) conditions.push('(first_prompt IS NOT NULL OR problem IS NOT NULL OR damage_count > 0)')
  if (!archived) conditions.push('is_archived = 0')
  if (pinned) conditions.push('is_pinned = 1')
  if (since !== undefined) {
    conditions.push('last_active_ms >= ?')
    values.push(checkTime('since', since))
  }
  if (until !== undefined) {
    conditions.push('last_active_ms < ?')
    values.push(checkTime('until', until))
  }
  if (tag !== undefined) {
    conditions.push('EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)')
    values.push(tag)
  }
  const { key, isDown: isUsuallyDown } = checkOrder(order)
  const isDown = isUsuallyDown !== reversed
  if (after !== undefined) {
    const than = isDown ? '<' : '>'
    conditions.push(`${key} ${than}= ? AND (${key} ${than} ? OR path > ?)`)
    values.push(after.key, after.key, after.path)
  }
  // By itself SQLite would sort everything, for the sake of sessions of the same time.
  const byActivity = `INDEXED BY ${cwd === undefined ? 'files_by_activity' : 'files_by_project'}`
  const sql = `SELECT ${SESSION_COLUMNS}, ${key} FROM files ${order === 'active' && !reversed ? byActivity : ''}
    WHERE ${conditions.join(' AND ')} ORDER BY ${key} ${isDown ? 'DESC' : 'ASC'}, path LIMIT ?`
  return { sql, values }
}

/** What it is in order by stands behind the columns of the session. */
function placeOf(row: SessionRow): ListCursor {
  const key = row.at(-1)
  const isKey = typeof key === 'number' || typeof key === 'string'
  if (!isKey) throw new BrokenIndexError('What a list is in order by is missing in the index')
  return { key, path: toListedFile(row).path }
}

function checkOrder(order: ListOrder) {
  if (Object.hasOwn(ORDERS, order)) return ORDERS[order]
  throw new TreelineError('validation_failed', `A list is in order by ${Object.keys(ORDERS).join(', ')}.`)
}

/** Newest first, as far as the time goes. */
function lookAtFiles(
  sources: Sources,
  page: readonly SessionRow[],
): { readonly gone: ReadonlySet<SessionRow>; readonly changed: number } {
  const end = performance.now() + LOOK_MS
  const gone = new Set<SessionRow>()
  let changed = 0
  for (const row of page) {
    if (performance.now() > end) break
    try {
      const { path, source, ...known } = toListedFile(row)
      const { identity, size, mtimeMs } = sources.get(source)!.stat(path)
      if (identity !== known.identity || size !== known.size || mtimeMs !== known.mtime) changed++
    } catch (error) {
      // One that cannot be looked at is shown as it was.
      if (errnoOf(error) === 'ENOENT') gone.add(row)
    }
  }
  return { gone, changed }
}

function checkLimit(limit = USUAL_LIMIT): number {
  if (Number.isInteger(limit) && limit > 0 && limit <= MAX_LIMIT) return limit
  throw new TreelineError('bad_request', `A list has 1 to ${MAX_LIMIT} sessions to a page, not ${limit}.`)
}

export function checkTime(name: 'since' | 'until', value: string): number {
  const timeMs = timeValue(value)
  if (timeMs !== undefined) return timeMs
  const message = `\`${name}\` has to be a time in ISO 8601, like 2026-01-31 or 2026-01-31T12:00:00Z.`
  throw new TreelineError('validation_failed', message)
}
