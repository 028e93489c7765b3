import { setTimeout as sleep } from 'node:timers/promises'
import type { TreelineError } from '@treeline/core'
import { flushAtExit } from './flush-at-exit.ts'
import type { HistoryDatabase } from './history-database.ts'
import { historyError, isBusy } from './history-errors.ts'
import { indexChanged, isIndexed, mergeIndex } from './history-index.ts'
import { insertPrompts, type NewPrompt } from './insert-prompts.ts'

const BATCH_MS = 50
const BUSY_MS = 10
const FAILED_MS = 1_000
/** Of the event loop, for indexing. */
const SLICE_MS = 8
const FLUSH_WAIT_MS = 5_000
/** At exit nobody else is held up, but the user waits for the shell. */
const EXIT_WAIT_MS = 1_000
/** As many prompts as one types in weeks: only a database that never works lets them pile up. */
const MAX_WAITING = 1_000
const MAX_BATCH = 200

/** Prompts on their way into the database, in batches off the turn's path. What fails is kept and tried again. */
export class AddQueue {
  lastError: TreelineError | undefined
  failureCount = 0
  lostCount = 0
  readonly #database: HistoryDatabase
  readonly #path: string
  readonly #stopFlushAtExit: () => void
  #waiting: NewPrompt[] = []
  #timer: NodeJS.Timeout | undefined
  #isMerged = false

  constructor(database: HistoryDatabase, path: string) {
    this.#database = database
    this.#path = path
    this.#stopFlushAtExit = flushAtExit(() => this.#writeAll(EXIT_WAIT_MS))
    // What another tool wrote since is indexed, and the file is made or found to be damaged, before anyone asks.
    this.#writeSome()
  }

  get pendingCount(): number {
    return this.#waiting.length
  }

  add(prompt: NewPrompt): void {
    if (this.#database.isClosed) {
      this.lostCount++
      return
    }
    if (this.#waiting.length === MAX_WAITING) {
      this.#waiting.shift()
      this.lostCount++
    }
    this.#waiting.push(prompt)
    this.#later(BATCH_MS)
  }

  /** Resolves to whether everything added so far is in the database. */
  async flush(): Promise<boolean> {
    const deadline = performance.now() + FLUSH_WAIT_MS
    while (this.#waiting.length > 0) {
      const result = this.#writeSome()
      if (this.#waiting.length === 0) break
      if (result === 'failed' || performance.now() > deadline) return false
      await sleep(result === 'busy' ? pauseMs() : 0)
    }
    return true
  }

  /** Indexes what other tools wrote, for a short while; the rest later. */
  catchUp(): void {
    try {
      if (this.#database.use(isIndexed)) return
    } catch (error) {
      this.#failed(error)
      return
    }
    this.#writeSome()
  }

  async close(): Promise<void> {
    await this.flush()
    this.#writeAll(0)
    clearTimeout(this.#timer)
    this.#stopFlushAtExit()
    this.lostCount += this.#waiting.length
    this.#waiting = []
  }

  /** Without waiting for anything but the database's lock: nothing runs after the last turn of the event loop. */
  #writeAll(waitMs: number): void {
    while (this.#waiting.length > 0 && this.#writeSome(waitMs) === 'written');
  }

  /** One transaction: some prompts, and as much of the index as there is time for. Never throws. */
  #writeSome(waitMs = 0): 'written' | 'busy' | 'failed' {
    const batch = this.#waiting.slice(0, MAX_BATCH)
    try {
      const { refused, isIndexed } = this.#database.write((database) => {
        const refused = insertPrompts(database, batch)
        const deadline = performance.now() + SLICE_MS
        return { refused, isIndexed: indexChanged(database, () => performance.now() > deadline) }
      }, waitMs)
      this.#waiting.splice(0, batch.length)
      this.lostCount += refused.length
      if (batch.length === MAX_BATCH || !isIndexed) this.#isMerged = false
      if (this.#waiting.length > 0 || !isIndexed || !this.#isMerged) this.#later(BUSY_MS)
      return 'written'
    } catch (error) {
      return this.#failed(error)
    }
  }

  /** Once in the life of a process, and after many prompts at once. */
  #merge(): void {
    if (this.#isMerged) return
    try {
      this.#isMerged = this.#database.write((database) => isIndexed(database) && mergeIndex(database))
    } catch (error) {
      this.#failed(error)
    }
  }

  #failed(error: unknown): 'busy' | 'failed' {
    this.lastError = historyError(error, this.#path)
    this.failureCount++
    const wasBusy = isBusy(error)
    this.#later(wasBusy ? pauseMs() : FAILED_MS)
    return wasBusy ? 'busy' : 'failed'
  }

  #later(delayMs: number): void {
    if (this.#database.isClosed) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (this.#writeSome() === 'written') this.#merge()
    }, delayMs).unref()
  }
}

/** Half of it is chance, so that processes do not march in step. */
function pauseMs(): number {
  return BUSY_MS * (0.5 + Math.random())
}
