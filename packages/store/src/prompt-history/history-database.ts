import { randomBytes } from 'node:crypto'
import { lstatSync } from 'node:fs'
import type { Home } from '../home.ts'
import { type DatabaseSync, openDatabase } from '../sqlite.ts'
import { errnoOf } from '../storage-error.ts'
import { historyClosed, isDamage } from './history-errors.ts'
import { prepareSchema, rebuildIndex } from './history-schema.ts'

/** How long opening may wait for another process that is just making the tables. */
const OPEN_WAIT_MS = 1_000

/**
 * `history.db`, opened when it is used and again when the file was replaced underneath. A damaged index is made anew; a
 * damaged file is set aside under another name, never deleted (R1), and a new one begins. Never waits for a lock unless
 * told to: SQLite's own waiting blocks the event loop.
 */
export class HistoryDatabase {
  readonly #home: Home
  #database: DatabaseSync | undefined
  /** Of the file that is open, or that could not be opened. */
  #inode: number | undefined
  #isClosed = false
  #problem: string | undefined

  constructor(home: Home) {
    this.#home = home
  }

  /** What was set aside, why, and where it is. */
  get problem(): string | undefined {
    return this.#problem
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Runs `work`; a second time if damage was found and dealt with. */
  use<T>(work: (database: DatabaseSync) => T): T {
    for (let tries = 0; ; tries++) {
      try {
        return work(this.#open())
      } catch (error) {
        if (!isDamage(error) || tries === 2) throw error
        if (tries === 1 || !this.#remakeIndex()) this.#setAside(error)
      }
    }
  }

  /** Runs `work` in one transaction: all of it is kept, or nothing. */
  write<T>(work: (database: DatabaseSync) => T, waitMs = 0): T {
    return this.use((database) => {
      if (waitMs > 0) setWait(database, waitMs)
      try {
        return inTransaction(database, work)
      } finally {
        if (waitMs > 0) setWait(database, 0)
      }
    })
  }

  close(): void {
    this.#isClosed = true
    this.#disconnect()
  }

  #open(): DatabaseSync {
    if (this.#isClosed) throw historyClosed()
    const inode = inodeOf(this.#path)
    // Someone moved the file away: what is written through this connection would go with it.
    if (this.#inode !== inode) this.#disconnect()
    this.#inode = inode
    if (this.#database === undefined) {
      this.#database = connect(this.#path)
      this.#inode = inodeOf(this.#path)
    }
    return this.#database
  }

  get #path(): string {
    return this.#home.paths.historyFile
  }

  /** False when the damage is not, or not only, in the index. */
  #remakeIndex(): boolean {
    if (this.#database === undefined) return false
    try {
      inTransaction(this.#database, (database) => {
        rebuildIndex(database)
        database.exec('REINDEX history')
        database.prepare('SELECT sum(length(prompt)) FROM history').get()
      })
      return true
    } catch (error) {
      if (isDamage(error)) return false
      throw error
    }
  }

  /**
   * The journal first: beside a new, empty database SQLite would delete it. Renamed before it is closed, because closing
   * writes into a database that is still in its place.
   */
  #setAside(reason: unknown): void {
    const { storage, paths } = this.#home
    // Another process was quicker: the file that is there now is not the damaged one.
    if (inodeOf(this.#path) !== this.#inode) {
      this.#disconnect()
      return
    }
    const when = new Date().toISOString().replace(/[:.]/g, '-')
    const aside = paths.damagedHistoryFile(`${when}-${randomBytes(3).toString('hex')}`)
    for (const ending of ['-wal', '-shm', '']) {
      try {
        storage.renameSync(this.#path + ending, aside + ending)
      } catch (error) {
        if (errnoOf(error) !== 'ENOENT') throw error
      }
    }
    this.#disconnect()
    const why = reason instanceof Error ? reason.message : String(reason)
    this.#problem = `The prompt history could not be read (${why}). It was kept as ${aside}; a new one has begun.`
  }

  #disconnect(): void {
    const database = this.#database
    this.#database = undefined
    database?.close()
  }
}

function inodeOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.ino
}

function connect(path: string): DatabaseSync {
  const database = openDatabase(path, { timeout: OPEN_WAIT_MS })
  try {
    // Before anything is changed in a file that turns out not to be ours.
    prepareSchema(database)
    // Deleted text is overwritten, here and in every table of the index, and not copied to the folder for temporary files.
    database.exec('PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY')
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    setWait(database, 0)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function setWait(database: DatabaseSync, waitMs: number): void {
  database.exec(`PRAGMA busy_timeout = ${waitMs}`)
}

function inTransaction<T>(database: DatabaseSync, work: (database: DatabaseSync) => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work(database)
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
