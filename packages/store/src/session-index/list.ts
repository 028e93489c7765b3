import { TreelineError } from '@treeline/core'
import { timeValue } from '../search/filters.ts'
import { errnoOf } from '../storage-error.ts'
import { decodeCursor, encodeCursor, type ListCursor } from './cursor.ts'
import type { IndexDatabase } from './index-database.ts'
import type { ListOptions, SessionPage } from './session-index.ts'
import { SESSION_COLUMNS, type SessionRow, shownText, toListedFile, toSession } from './session-row.ts'
import type { Sources } from './sources.ts'

const USUAL_LIMIT = 50
const MAX_LIMIT = 10_000
/** Read at once while words are looked for; between two slices others get their turn. */
const MATCH_SLICE = 1000
/** How long a list looks at the files it shows. */
const LOOK_MS = 2
const ALL_AS_KNOWN = { gone: new Set<SessionRow>(), changed: 0 } as const

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
    next: last && encodeCursor(toListedFile(last)),
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
    for (const row of rows) if (found.length < wanted && hasWords(row, words)) found.push(row)
    if (rows.length < slice || found.length >= wanted) return found
    after = toListedFile(rows.at(-1)!)
    await new Promise(setImmediate)
  }
}

/** Only the shape of the text depends on what was asked for; what was said is bound. */
function pageQuery(
  sources: Sources,
  { cwd, source, since, until, empty, archived }: ListOptions,
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
  if (since !== undefined) {
    conditions.push('last_active_ms >= ?')
    values.push(checkTime('since', since))
  }
  if (until !== undefined) {
    conditions.push('last_active_ms < ?')
    values.push(checkTime('until', until))
  }
  if (after !== undefined) {
    conditions.push('last_active_ms <= ? AND (last_active_ms < ? OR path > ?)')
    values.push(after.lastActiveMs, after.lastActiveMs, after.path)
  }
  // By itself SQLite would sort everything, for the sake of sessions of the same time.
  const index = cwd === undefined ? 'files_by_activity' : 'files_by_project'
  const sql = `SELECT ${SESSION_COLUMNS} FROM files INDEXED BY ${index} WHERE ${conditions.join(' AND ')}
    ORDER BY last_active_ms DESC, path LIMIT ?`
  return { sql, values }
}

function hasWords(row: SessionRow, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const shown = shownText(row).toLowerCase()
  return words.every((word) => shown.includes(word))
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
