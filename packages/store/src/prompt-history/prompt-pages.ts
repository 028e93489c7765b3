import type { DatabaseSync } from '../sqlite.ts'
import { isIndexed, toGramQuery } from './history-index.ts'

/** Some ids, newest first, and the id under which to go on; `undefined` at the end. */
interface Page {
  readonly ids: readonly number[]
  readonly before: number | undefined
}

export type ReadPage = (database: DatabaseSync, before: number) => Page

const PAGE = 256
/** FTS5 begins at the newest again for each page, so pages grow. */
const PAGE_GROWTH = 4
const FIRST_STRETCH = 4_096
/** Of texts a stretch is compared at a time, so long that it takes about this; the event loop runs in between. */
const STRETCH_MS = 6

const BY_ID = 'SELECT id FROM history WHERE id BETWEEN 1 AND ? ORDER BY id DESC LIMIT ?'
const BY_CWD = 'SELECT id FROM history WHERE cwd = ? AND id BETWEEN 1 AND ? ORDER BY id DESC LIMIT ?'
const BY_GRAMS =
  'SELECT rowid AS id FROM treeline_grams WHERE treeline_grams MATCH ? AND rowid BETWEEN 1 AND ? ORDER BY rowid DESC LIMIT ?'
const NEWEST = 'SELECT max(id) AS id FROM history WHERE id < ?'
const BY_TEXT = `
  SELECT id FROM treeline_grams_content WHERE id BETWEEN ? AND ? AND instr(c0, ?) > 0 ORDER BY id DESC LIMIT ${PAGE}`

/** Every prompt. */
export function pagesOf(cwd: string | undefined): ReadPage {
  const [sql, ...values] = cwd === undefined ? [BY_ID] : [BY_CWD, cwd]
  return (database, before) => pageOf(readIds(database, sql, ...values, before - 1, PAGE), PAGE)
}

/** The prompts that can match, and more; while the index is behind or being made anew, every prompt. */
export function pagesWith(needle: string, cwd: string | undefined): ReadPage {
  const query = toGramQuery(needle)
  const candidates = query === undefined ? pagesByText(needle) : pagesByGrams(query)
  const everything = pagesOf(cwd)
  return (database, before) => (isIndexed(database) ? candidates : everything)(database, before)
}

function pagesByGrams(query: string): ReadPage {
  let limit = PAGE / PAGE_GROWTH
  return (database, before) => {
    limit *= PAGE_GROWTH
    return pageOf(readIds(database, BY_GRAMS, query, before - 1, limit), limit)
  }
}

function pagesByText(needle: string): ReadPage {
  let stretch = FIRST_STRETCH
  return (database, before) => {
    const newest = database.prepare(NEWEST).get(before)?.id
    if (typeof newest !== 'number' || newest < 1) return { ids: [], before: undefined }
    const from = Math.max(1, newest - stretch + 1)
    const start = performance.now()
    const ids = readIds(database, BY_TEXT, from, newest, needle)
    const factor = STRETCH_MS / Math.max(performance.now() - start, 0.1)
    stretch = Math.ceil(stretch * Math.min(Math.max(factor, 0.25), 4))
    return ids.length === PAGE ? pageOf(ids, PAGE) : { ids, before: from > 1 ? from : undefined }
  }
}

function pageOf(ids: readonly number[], limit: number): Page {
  return { ids, before: ids.length < limit ? undefined : ids.at(-1) }
}

function readIds(database: DatabaseSync, sql: string, ...values: readonly (string | number)[]): readonly number[] {
  const rows = database.prepare(sql).all(...values)
  return rows.map(({ id }) => id as number)
}
