import { TreelineError } from '@treeline/core'
import type { HomePaths } from '../paths.ts'
import { sqliteCodeOf } from '../sqlite.ts'
import { discardBroken } from './discard-index.ts'
import { type IndexDatabase, indexError, isBroken, isBusy, openExisting } from './index-database.ts'
import { BUILT } from './refresh.ts'

const MAX_TRIES = 4
const BUSY_PAUSE_MS = 25

interface Held {
  readonly db: IndexDatabase
  users: number
  isRetired: boolean
}

/** The connection that questions are asked through. Before each it is made sure that it is still that of the index. */
export class IndexReader {
  private readonly paths: HomePaths
  /** Builds the index, or builds it anew. */
  private readonly rebuild: (signal?: AbortSignal) => Promise<unknown>
  private held: Held | undefined
  private isClosed = false

  constructor(paths: HomePaths, rebuild: (signal?: AbortSignal) => Promise<unknown>) {
    this.paths = paths
    this.rebuild = rebuild
  }

  /** Asks an index that is built; what goes wrong inside it is put right first, and asked again (I6). */
  async ask<T>(question: (db: IndexDatabase) => Promise<T> | T, signal?: AbortSignal): Promise<T> {
    for (let tries = 1; ; tries++) {
      this.refuseClosed()
      signal?.throwIfAborted()
      let held: Held | undefined
      try {
        held = this.open()
        if (held !== undefined && held.db.readMeta(BUILT) !== undefined) return await question(held.db)
      } catch (error) {
        await this.cope(held, error, tries === MAX_TRIES)
        continue
      } finally {
        this.leave(held)
      }
      if (tries === MAX_TRIES) {
        throw new TreelineError('internal', `The index ${this.paths.indexFile} is removed again and again. Try again.`)
      }
      await this.rebuild(signal)
    }
  }

  /** Asks what needs no answer: there is none where there is no index yet, or something is the matter with it. */
  look<T>(question: (db: IndexDatabase) => T): T | undefined {
    let held: Held | undefined
    try {
      held = this.isClosed ? undefined : this.open()
      return held === undefined || held.db.readMeta(BUILT) === undefined ? undefined : question(held.db)
    } catch (error) {
      if (sqliteCodeOf(error) === undefined && !isBroken(error)) throw error
      return undefined
    } finally {
      this.leave(held)
    }
  }

  close(): void {
    this.isClosed = true
    this.retire()
  }

  private open(): Held | undefined {
    if (this.held !== undefined && !this.held.db.isCurrent) this.retire()
    if (this.held === undefined) {
      const db = openExisting(this.paths.indexFile)
      if (db === undefined) return undefined
      this.held = { db, users: 0, isRetired: false }
    }
    this.held.users++
    return this.held
  }

  private leave(held: Held | undefined): void {
    if (held === undefined) return
    held.users--
    if (held.isRetired && held.users === 0) held.db.close()
  }

  /** Who asks through it still may finish. */
  private retire(): void {
    const { held } = this
    this.held = undefined
    if (held === undefined) return
    held.isRetired = true
    if (held.users === 0) held.db.close()
  }

  private async cope(held: Held | undefined, error: unknown, isLast: boolean): Promise<void> {
    // What is wrong elsewhere, such as a log that cannot be read, is for whoever asked.
    if (sqliteCodeOf(error) === undefined && !isBroken(error)) throw error
    if (isLast || (!isBusy(error) && !isBroken(error))) throw indexError(error, this.paths.indexFile)
    if (isBusy(error) || held === undefined) {
      await new Promise((resolve) => setTimeout(resolve, BUSY_PAUSE_MS))
      return
    }
    if (held === this.held) this.retire()
    await discardBroken(this.paths, held.db.identity)
  }

  private refuseClosed(): void {
    if (this.isClosed) throw new TreelineError('bad_request', 'The index is closed. Open it again.')
  }
}
