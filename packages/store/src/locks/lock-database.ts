import { lstatSync } from 'node:fs'
import { TreelineError } from '@treeline/core'
import { type DatabaseSync, openDatabase, SQLITE, type StatementSync, sqliteCodeOf } from '../sqlite.ts'
import { storageError } from '../storage-error.ts'

interface Connection {
  readonly database: DatabaseSync
  readonly begin: StatementSync
  readonly rollback: StatementSync
  readonly inode: number
  /** Whether this connection has shown that it locks for real. */
  proven: boolean
}

/**
 * A SQLite file that is only ever locked: the kernel frees the lock when its process dies. It has one empty table, since
 * locking a database without any page writes a journal each time. `BEGIN IMMEDIATE` keeps out all who would write, those
 * with `BEGIN EXCLUSIVE` too, and takes the system fewer steps.
 */
export class LockDatabase {
  readonly #path: string
  #connection: Connection | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Takes the lock if it is free. Never waits: SQLite's own waiting blocks the event loop and is not fair. */
  tryLock(): boolean {
    try {
      this.#connection ??= connect(this.#path)
      return this.#lock(this.#connection)
    } catch (error) {
      this.close()
      throw lockError(error, this.#path)
    }
  }

  unlock(): void {
    try {
      this.#connection?.rollback.run()
    } catch {
      // The work is done and its result stands. Closing the connection frees the lock; the next one opens another.
      this.close()
    }
  }

  close(): void {
    const connection = this.#connection
    this.#connection = undefined
    connection?.database.close()
  }

  #lock(connection: Connection): boolean {
    if (!begin(connection)) return false
    // Someone deleted the file: whoever opens it now locks another one. So do we, from the next try on.
    if (lstatSync(this.#path, { throwIfNoEntry: false })?.ino !== connection.inode) {
      this.close()
      return false
    }
    return connection.proven || prove(connection)
  }
}

function connect(path: string): Connection {
  const database = openDatabase(path, { timeout: 0 })
  const inode = lstatSync(path).ino
  return {
    database,
    begin: database.prepare('BEGIN IMMEDIATE'),
    rollback: database.prepare('ROLLBACK'),
    inode,
    proven: false,
  }
}

function begin(connection: Connection): boolean {
  try {
    connection.begin.run()
    return true
  } catch (error) {
    if (sqliteCodeOf(error) === SQLITE.busy) return false
    throw error
  }
}

/**
 * SQLite opens a file it may not write as read-only, and a lock on it may exclude nobody. A write tells, even one that
 * finds nothing to write.
 */
function prove(connection: Connection): boolean {
  const { database, rollback } = connection
  try {
    database.exec('DELETE FROM held WHERE x = 1')
    connection.proven = true
    return true
  } catch (error) {
    if (sqliteCodeOf(error) !== SQLITE.error) throw error
  }
  try {
    database.exec('CREATE TABLE held (x); COMMIT')
  } catch (error) {
    if (sqliteCodeOf(error) !== SQLITE.busy) throw error
    // Someone else tries the new file at this moment.
    rollback.run()
    return false
  }
  connection.proven = true
  return begin(connection)
}

function lockError(error: unknown, path: string): TreelineError {
  const cause = { cause: error }
  switch (sqliteCodeOf(error)) {
    case SQLITE.corrupt:
    case SQLITE.notADatabase: {
      const message = `The lock file ${path} is damaged. It holds no data: end every Treeline process, delete it, try again.`
      return new TreelineError('damaged', message, {}, cause)
    }
    case SQLITE.readOnly:
    case SQLITE.cannotOpen: {
      const message = `The lock file ${path} cannot be written, so nothing may be appended. Check its owner, its mode and its disk.`
      return new TreelineError('forbidden', message, {}, cause)
    }
    case SQLITE.full:
      return new TreelineError('storage_full', `The disk of ${path} is full. Make room and try again.`, {}, cause)
    default:
      return storageError(error, 'The session could not be locked', path)
  }
}
