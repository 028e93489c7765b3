import { TreelineError } from '@treeline/core'
import { type DatabaseSync, SQLITE, sqliteCodeOf } from '../sqlite.ts'

/**
 * `history` is the table xcsh and oh-my-pi use. What is named `treeline_…` is ours and can be made anew from it.
 *
 * `treeline_grams` has the folded texts, which SQL cannot make: what the grams find is compared with them without leaving
 * SQLite, and short queries are compared with all of them. So the triggers only note which rows have changed, whoever
 * changed them, in a plain table that any SQLite can write; we bring the index up to date in the transaction of our own
 * changes and before a search. Another name for it is due whenever `fold` or what is fed to it changes.
 */
const HISTORY = `
CREATE TABLE IF NOT EXISTS history (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  prompt TEXT NOT NULL,
  created_at INTEGER NOT NULL DEFAULT (CAST(strftime('%s','now') AS INTEGER)),
  cwd TEXT
);
`
const INDEX = `
CREATE INDEX IF NOT EXISTS treeline_history_cwd ON history (cwd);
CREATE TABLE IF NOT EXISTS treeline_changed (id INTEGER PRIMARY KEY);
DROP TRIGGER IF EXISTS treeline_added;
DROP TRIGGER IF EXISTS treeline_updated;
DROP TRIGGER IF EXISTS treeline_deleted;
CREATE TRIGGER treeline_added AFTER INSERT ON history BEGIN
  INSERT OR IGNORE INTO treeline_changed (id) VALUES (new.id);
END;
CREATE TRIGGER treeline_updated AFTER UPDATE OF id, prompt ON history BEGIN
  INSERT OR IGNORE INTO treeline_changed (id) VALUES (old.id), (new.id);
END;
CREATE TRIGGER treeline_deleted AFTER DELETE ON history BEGIN
  INSERT OR IGNORE INTO treeline_changed (id) VALUES (old.id);
END;
DROP TABLE IF EXISTS treeline_grams;
CREATE VIRTUAL TABLE treeline_grams USING fts5(
  text, detail=none, columnsize=0, tokenize='trigram case_sensitive 1'
);
INSERT INTO treeline_grams (treeline_grams, rank) VALUES ('usermerge', 2);
INSERT OR IGNORE INTO treeline_changed (id) SELECT id FROM history;
`

const OURS = ['treeline_changed', 'treeline_added', 'treeline_updated', 'treeline_deleted', 'treeline_grams']
const COLUMNS = ['id', 'prompt', 'created_at', 'cwd']

/** Makes what is missing, in one transaction. Rows that another tool wrote stay as they are. */
export function prepareSchema(database: DatabaseSync): void {
  if (hasSchema(database)) return
  database.exec('BEGIN IMMEDIATE')
  try {
    if (!hasSchema(database)) rebuildIndex(database)
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Throws the index away; every row is to be indexed again. */
export function rebuildIndex(database: DatabaseSync): void {
  try {
    database.exec(HISTORY)
    checkColumns(database)
    database.exec(INDEX)
  } catch (error) {
    if (sqliteCodeOf(error) !== SQLITE.error) throw error
    const message = `It holds other things under the names of the history's tables: ${(error as Error).message}.`
    throw new TreelineError('damaged', message, {}, { cause: error })
  }
}

/** Whether the other tool's index is there too. It has no trigger for rows that are removed. */
export function hasForeignIndex(database: DatabaseSync): boolean {
  return namesOf(database).has('history_fts')
}

function hasSchema(database: DatabaseSync): boolean {
  const names = namesOf(database)
  if (!names.has('history') || !OURS.every((name) => names.has(name))) return false
  checkColumns(database)
  return true
}

function namesOf(database: DatabaseSync): ReadonlySet<unknown> {
  return new Set(
    database
      .prepare('SELECT name FROM sqlite_schema')
      .all()
      .map(({ name }) => name),
  )
}

function checkColumns(database: DatabaseSync): void {
  const columns = database
    .prepare('SELECT name, type, pk, dflt_value, "notnull" FROM pragma_table_info(\'history\')')
    .all()
  const names = columns.map(({ name }) => name)
  const hasRowId = columns.some(({ name, type, pk }) => name === 'id' && type === 'INTEGER' && pk === 1)
  const needsMore = columns.some(
    ({ name, notnull, dflt_value }) => !COLUMNS.includes(String(name)) && notnull === 1 && dflt_value === null,
  )
  if (hasRowId && !needsMore && COLUMNS.every((name) => names.includes(name))) return
  throw new TreelineError('damaged', `Its table "history" has other columns than ${COLUMNS.join(', ')}.`)
}
