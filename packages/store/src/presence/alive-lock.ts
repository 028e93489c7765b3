import { lstatSync, renameSync, unlinkSync } from 'node:fs'
import { type DatabaseSync, openDatabase, SQLITE, sqliteCodeOf } from '../sqlite.ts'
import { errnoOf } from '../storage-error.ts'

/**
 * A SQLite file that is locked for as long as its process lives: the kernel frees the lock at its death. Nothing is ever
 * written to it, so nothing is synced. Like every lock database it is never opened but through SQLite.
 */
export interface AliveLock {
  /** Removes the file, then frees the lock. */
  remove(): void
}

/** Kept from the garbage collector, which closes a database that nobody can reach and so frees its lock. */
const held = new Set<DatabaseSync>()

/** The file gets its name when it is locked: under that name nobody ever finds it free while its process lives. */
export function holdAliveLock(path: string): AliveLock {
  const temp = `${path}.new`
  const database = openDatabase(temp, { timeout: 0 })
  try {
    if (!begin(database)) throw new Error(`${temp} is locked by somebody else`)
    renameSync(temp, path)
  } catch (error) {
    removeFile(temp)
    database.close()
    throw error
  }
  held.add(database)
  return {
    remove() {
      removeFile(path)
      held.delete(database)
      database.close()
    },
  }
}

/** Whether the process behind a lock file lives. The leftovers of a dead one go with `clean` and then the file itself. */
export function isAlive(path: string, clean: () => void): boolean {
  try {
    if (isThere(path)) return isLocked(path, clean)
  } catch (error) {
    // It may have been removed by its owner at any moment.
    if (isThere(path)) throw error
  }
  clean()
  return false
}

function isLocked(path: string, clean: () => void): boolean {
  const database = openDatabase(path, { timeout: 0 })
  try {
    if (!begin(database)) return true
    clean()
    removeFile(path)
    return false
  } finally {
    database.close()
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function begin(database: DatabaseSync): boolean {
  try {
    // Without pages there would be a journal, and with it a sync.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    const code = sqliteCodeOf(error)
    if (code === SQLITE.busy) return false
    // The lock comes before the first byte is read: whoever gets to see that it is no database holds the lock.
    if (code === SQLITE.notADatabase || code === SQLITE.corrupt) return true
    throw error
  }
}

export function removeFile(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}
