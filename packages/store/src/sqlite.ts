import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  linkSync,
  lstatSync,
  openSync,
  type Stats,
  unlinkSync,
} from 'node:fs'
import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite'
import { TreelineError } from '@treeline/core'
import { errnoOf } from './storage-error.ts'

export type { DatabaseSync, StatementSync } from 'node:sqlite'

type Sqlite = typeof import('node:sqlite')

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants

/** Primary result codes of SQLite that callers tell apart. */
export const SQLITE = {
  error: 1,
  busy: 5,
  readOnly: 8,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  constraint: 19,
  notADatabase: 26,
} as const

let sqlite: Sqlite | undefined

/** Opens a database file, made 0600 before SQLite sees it; its journals take the same mode. No link is followed (K5). */
export function openDatabase(path: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  createDatabaseFile(path)
  sqlite ??= loadSqlite()
  return new sqlite.DatabaseSync(path, options)
}

/**
 * A copy of a database as of one moment, made off this thread while others go on using it. It needs no journal beside it
 * and is durable when this resolves. `to` is new or empty.
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const source = openDatabase(from, { readOnly: true, timeout: BUSY_MS })
  try {
    createDatabaseFile(to)
    sqlite ??= loadSqlite()
    // All pages in one step: between two of them somebody may write, and it would begin again.
    await sqlite.backup(source, to, { rate: ALL_PAGES })
  } finally {
    source.close()
  }
  const copy = openDatabase(to)
  try {
    copy.exec('PRAGMA journal_mode = DELETE')
  } finally {
    copy.close()
  }
}

const BUSY_MS = 5000
const ALL_PAGES = 2 ** 30

/** SQLite's primary result code of an error that node:sqlite threw; `undefined` for any other error. */
export function sqliteCodeOf(error: unknown): number | undefined {
  if (errnoOf(error) !== 'ERR_SQLITE_ERROR') return undefined
  const { errcode } = error as { errcode?: unknown }
  return typeof errcode === 'number' ? errcode & 0xff : undefined
}

/** Node 22 announces that its SQLite is experimental. That one warning is kept from the user's screen, no other. */
function loadSqlite(): Sqlite {
  const emitWarning = process.emitWarning
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (rest[0] === 'ExperimentalWarning' && String(warning).includes('SQLite')) return
    emitWarning.call(process, warning, ...rest)
  }) as typeof process.emitWarning
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

/**
 * An existing file is only looked at, never opened: closing a descriptor drops the locks SQLite holds on it in this
 * process. For the same reason a new one is closed before it gets its name.
 */
function createDatabaseFile(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found) {
    checkDatabaseFile(path, found)
    return
  }
  const temp = `${path}.${randomBytes(6).toString('hex')}.new`
  createEmpty(temp)
  try {
    linkSync(temp, path)
  } catch (error) {
    const errno = errnoOf(error)
    if (errno === 'EEXIST') checkDatabaseFile(path, lstatSync(path))
    // A file system without hard links: then it is made in place.
    else if (errno === 'EPERM' || errno === 'ENOTSUP' || errno === 'EOPNOTSUPP') createUnlessThere(path)
    else throw error
  } finally {
    unlinkSync(temp)
  }
}

function checkDatabaseFile(path: string, stats: Stats): void {
  if (!stats.isFile()) {
    const what = stats.isSymbolicLink() ? 'a symbolic link, which is not followed' : 'not a file'
    throw new TreelineError('forbidden', `The database ${path} is ${what}. Move it away and try again.`)
  }
  if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o600)
}

function createEmpty(path: string): void {
  const file = openSync(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600)
  try {
    fchmodSync(file, 0o600)
  } finally {
    closeSync(file)
  }
}

function createUnlessThere(path: string): void {
  try {
    createEmpty(path)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    checkDatabaseFile(path, lstatSync(path))
  }
}
