import { fold } from '../search/fold.ts'
import type { DatabaseSync } from '../sqlite.ts'

/** What of a prompt can be found. Beyond that are pasted files, which would hold up the terminal while they are indexed. */
const SEARCHED_CHARS = 65_536
export type SearchMode = 'substring' | 'prefix'

/** Two of them before each text, so that its first letter already makes a gram. Folding leaves none inside a text. */
const BEGINNING = '\u0002\u0002'
const GRAM_CHARS = 3
/** Of a long query these are enough: they only say which texts to compare. */
const MAX_GRAMS = 12
/** Of a prefix its first letters: few texts begin with them, and each gram more has to be looked up. */
const PREFIX_CHARS = BEGINNING.length + 4
/** Of the index, merged in one go: some milliseconds. */
const MERGED_PAGES = 64

/** The part of a prompt that is searched, as it is indexed. */
export function toIndexedText(prompt: string): string {
  return BEGINNING + fold(prompt.slice(0, SEARCHED_CHARS))
}

/** What a prompt's indexed text contains if the prompt matches. */
export function toNeedle(query: string, mode: SearchMode): string {
  return mode === 'prefix' ? BEGINNING + fold(query.trimStart()) : fold(query)
}

/** True for a query that every prompt matches. */
export function isBlank(needle: string): boolean {
  return needle === '' || needle === BEGINNING
}

/** FTS5's expression for all texts that can contain the needle, and more; `undefined` when it is too short for grams. */
export function toGramQuery(needle: string): string | undefined {
  // The tokenizer counts code points.
  const chars = needle.startsWith(BEGINNING) ? [...needle].slice(0, PREFIX_CHARS) : [...needle]
  const count = chars.length - GRAM_CHARS + 1
  if (count < 1) return undefined
  const step = Math.max(1, (count - 1) / (MAX_GRAMS - 1))
  const grams = new Set<string>()
  for (let at = 0; at < count; at += step) {
    const from = Math.floor(at)
    grams.add(chars.slice(from, from + GRAM_CHARS).join(''))
  }
  return [...grams].map((gram) => `"${gram.replaceAll('"', '""')}"`).join(' AND ')
}

export function isIndexed(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM treeline_changed LIMIT 1').get() === undefined
}

/**
 * Each transaction leaves the index in one more piece, and a search looks into all of them. Merges a few; true when nothing
 * is left to merge. To be called in a transaction.
 */
export function mergeIndex(database: DatabaseSync): boolean {
  const changes = database.prepare('SELECT total_changes() AS count')
  const before = Number(changes.get()?.count)
  database.exec(`INSERT INTO treeline_grams (treeline_grams, rank) VALUES ('merge', ${MERGED_PAGES})`)
  // FTS5 counts the command itself as one.
  return Number(changes.get()?.count) - before < 2
}

/** Indexes changed rows, newest first, until none is left (true) or `isLate`. To be called in a transaction. */
export function indexChanged(database: DatabaseSync, isLate: () => boolean): boolean {
  const next = database.prepare(
    `SELECT c.id, substr(h.prompt, 1, ${SEARCHED_CHARS}) AS prompt
     FROM treeline_changed c LEFT JOIN history h ON h.id = c.id ORDER BY c.id DESC LIMIT 1`,
  )
  // Ids beyond what a number can hold are of no tool we know; without bigints one would stop everything.
  next.setReadBigInts(true)
  const forget = database.prepare('DELETE FROM treeline_grams WHERE rowid = ?')
  const learn = database.prepare('INSERT INTO treeline_grams (rowid, text) VALUES (?, ?)')
  const done = database.prepare('DELETE FROM treeline_changed WHERE id = ?')
  for (;;) {
    const row = next.get()
    if (row === undefined) return true
    if (isLate()) return false
    const id = row.id as bigint
    forget.run(id)
    if (typeof row.prompt === 'string') learn.run(id, toIndexedText(row.prompt))
    done.run(id)
  }
}
