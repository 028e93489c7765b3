import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { TreelineError } from '@treeline/core'
import { type DatabaseSync, openDatabase, SQLITE, type StatementSync, sqliteCodeOf } from '../sqlite.ts'
import { errnoOf, storageError } from '../storage-error.ts'
import { INDEX_VERSION, SCHEMA } from './schema.ts'

/** SQLite's own waiting blocks the thread; there is one writer at a time, so it is for moments only. */
const BUSY_TIMEOUT_MS = 2000
const JOURNAL_BYTES = 4 * 1024 * 1024
const SIDE_FILES = ['', '-wal', '-shm', '-journal'] as const

/** The database of the index, open, and which file that is: the path may come to name another one, or none. */
export class IndexDatabase {
  readonly path: string
  readonly sql: DatabaseSync
  readonly identity: string
  private readonly statements = new Map<string, StatementSync>()
  private readonly lists = new Map<string, StatementSync>()

  constructor(path: string, sql: DatabaseSync, identity: string) {
    this.path = path
    this.sql = sql
    this.identity = identity
  }

  /** False once the file was deleted or replaced. */
  get isCurrent(): boolean {
    return findIdentity(this.path) === this.identity
  }

  /** Prepared once. The text is made of this folder's own words, never of a caller's. */
  prepare(text: string): StatementSync {
    let statement = this.statements.get(text)
    if (statement === undefined) {
      statement = this.sql.prepare(text)
      this.statements.set(text, statement)
    }
    return statement
  }

  /** Rows as lists of values: a wide row as an object costs three times as much to make and to read. */
  selectLists(text: string, values: readonly (string | number)[]): readonly (readonly unknown[])[] {
    let statement = this.lists.get(text)
    if (statement === undefined) {
      statement = this.sql.prepare(text)
      statement.setReturnArrays(true)
      this.lists.set(text, statement)
    }
    return statement.all(...values) as unknown as readonly (readonly unknown[])[]
  }

  /** Another number whenever somebody else has written to the index since. */
  get dataVersion(): number {
    return Number(this.prepare('PRAGMA data_version').get()?.data_version)
  }

  readMeta(key: string): string | undefined {
    const value = this.prepare('SELECT value FROM meta WHERE key = ?').get(key)?.value
    return typeof value === 'string' ? value : undefined
  }

  writeMeta(key: string, value: string): void {
    this.prepare('INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2').run(
      key,
      value,
    )
  }

  close(): void {
    this.statements.clear()
    this.lists.clear()
    if (this.sql.isOpen) this.sql.close()
  }
}

/** Nothing when there is no index, or one that is not ours to use: of another version, damaged, or a copy of another. */
export function openExisting(path: string): IndexDatabase | undefined {
  const identity = findIdentity(path)
  if (identity === undefined) return undefined
  let database: IndexDatabase | undefined
  try {
    database = connect(path, identity)
    // A copy that was put here may have found the journal of the one before it, so that nothing in it can be trusted.
    if (database.readMeta('version') === String(INDEX_VERSION) && database.readMeta('identity') === identity) {
      return database
    }
  } catch (error) {
    database?.close()
    if (isBroken(error)) return undefined
    throw error
  }
  database.close()
  return undefined
}

/** Only under the index's lock: others may be about to do the same. */
export function openForWriting(path: string): IndexDatabase {
  return openExistingForWriting(path) ?? createAnew(path)
}

/** As `openExisting`, by whoever holds the lock or works for them. */
export function openExistingForWriting(path: string): IndexDatabase | undefined {
  const existing = openExisting(path)
  if (existing !== undefined) configure(existing.sql)
  return existing
}

/** Only under the index's lock. Whoever has it open notices that the path names another file. */
export function removeIndex(path: string): void {
  try {
    // The database first: who finds it missing or empty does not look at the journals of the one before.
    for (const ending of SIDE_FILES) rmSync(`${path}${ending}`, { force: true })
  } catch (error) {
    throw indexError(error, path)
  }
}

export function ensureIndexFolder(path: string): void {
  const folder = dirname(path)
  try {
    // What the umask took away is given back to a folder of our own making (K5).
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) chmodSync(folder, 0o700)
  } catch (error) {
    throw indexError(error, path)
  }
}

/** What a database that cannot be trusted says; its contents are thrown away (I6). */
export function isBroken(error: unknown): boolean {
  const code = sqliteCodeOf(error)
  // The code of a question that was badly put, too: that is no reason to throw an index away.
  if (code === SQLITE.error) return SCHEMA_IS_WRONG.test((error as Error).message)
  if (code !== undefined) return !OUTSIDE.has(code)
  // A number too long for JavaScript was never ours.
  return errnoOf(error) === 'ERR_OUT_OF_RANGE' || error instanceof BrokenIndexError
}

export function isBusy(error: unknown): boolean {
  const code = sqliteCodeOf(error)
  return code === SQLITE.busy || code === SQLITE_LOCKED
}

/** A value in the index that indexing cannot have written. */
export class BrokenIndexError extends Error {}

const SCHEMA_IS_WRONG =
  /no such (table|column|index|module)|no query solution|malformed|corrupt|vtable constructor|unsupported file format|has \d+ columns?|values for \d+ columns/i
const SQLITE_LOCKED = 6
const SQLITE_NO_MEMORY = 7
const SQLITE_INTERRUPT = 9
const SQLITE_IO = 10
/** Codes that speak of the machine, not of what is in the file. */
const OUTSIDE: ReadonlySet<number> = new Set([
  SQLITE.busy,
  SQLITE_LOCKED,
  SQLITE_NO_MEMORY,
  SQLITE.readOnly,
  SQLITE_INTERRUPT,
  SQLITE_IO,
  SQLITE.full,
  SQLITE.cannotOpen,
])

/** As an error a person can act on. */
export function indexError(error: unknown, path: string): TreelineError {
  const cause = { cause: error }
  const code = sqliteCodeOf(error)
  const errno = errnoOf(error)
  if (code === SQLITE.full) {
    return new TreelineError(
      'storage_full',
      `The disk of the index ${path} is full. Make room and try again.`,
      {},
      cause,
    )
  }
  if (code === SQLITE.readOnly || code === SQLITE.cannotOpen || UNUSABLE.has(errno)) {
    const message =
      `The index ${path} cannot be used (${errno === undefined || code !== undefined ? `SQLite ${code}` : errno}). ` +
      'It has to be on a disk that can be written: check the owner, mode and disk of its folder. Sessions open by their id without it.'
    return new TreelineError('forbidden', message, {}, cause)
  }
  if (isBusy(error)) {
    return new TreelineError(
      'session_locked',
      `The index ${path} stayed locked by another process. Try again.`,
      {},
      cause,
    )
  }
  if (code !== undefined) {
    const message = `The index ${path} cannot be read (SQLite ${code}). Delete it: it is made anew from the sessions.`
    return new TreelineError('damaged', message, {}, cause)
  }
  return storageError(error, 'The index cannot be used', path)
}

const UNUSABLE: ReadonlySet<string | undefined> = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EEXIST',
  'EISDIR',
  'ELOOP',
])

function createAnew(path: string): IndexDatabase {
  ensureIndexFolder(path)
  removeIndex(path)
  const sql = openDatabase(path, { timeout: BUSY_TIMEOUT_MS })
  try {
    const identity = findIdentity(path) ?? ''
    configure(sql)
    sql.prepare('PRAGMA journal_mode = WAL').get()
    sql.exec('BEGIN IMMEDIATE')
    sql.exec(SCHEMA)
    const insert = sql.prepare('INSERT INTO meta (key, value) VALUES (?, ?)')
    insert.run('version', String(INDEX_VERSION))
    insert.run('identity', identity)
    sql.exec('COMMIT')
    return new IndexDatabase(path, sql, identity)
  } catch (error) {
    sql.close()
    throw error
  }
}

function connect(path: string, identity: string): IndexDatabase {
  return new IndexDatabase(path, openDatabase(path, { timeout: BUSY_TIMEOUT_MS }), identity)
}

/** For whoever writes. What a power cut takes from the index is in the logs. */
function configure(sql: DatabaseSync): void {
  sql.exec(`PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = ${JOURNAL_BYTES}`)
}

export function findIdentity(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`
}
