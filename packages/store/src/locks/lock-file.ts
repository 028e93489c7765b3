import { LockDatabase } from './lock-database.ts'
import { retryDelayMs } from './retry-delay.ts'

/** One piece of work that waits for the lock. */
export interface Waiter {
  readonly deadline: number
  /** Before another try. Never throws. */
  whileWaiting(): void
  /** Runs the work under the lock. Never throws. */
  run(): void
  /** Settles its promise: the lock is free again. Never throws. */
  end(): void
  /** Settles it as failed: with `error`, or because the time is over. */
  fail(error?: unknown): void
}

/** How much waiting work is done under one lock, before other processes get their chance. */
const BATCH = 16

/** By path: stores of one process that share a home share connections and wait in one queue. */
const open = new Map<string, LockFile>()

/** Hands out the process's only `LockFile` for a path. Balance with `leave`. */
export function enterLockFile(path: string): LockFile {
  const file = open.get(path) ?? new LockFile(path)
  open.set(path, file)
  file.enter()
  return file
}

/** The queue of one process in front of one lock: first come, first served. */
export class LockFile {
  readonly #path: string
  readonly #database: LockDatabase
  #waiting: Waiter[] = []
  #users = 0
  #held = false
  #scheduled = false
  #failedTries = 0

  constructor(path: string) {
    this.#path = path
    this.#database = new LockDatabase(path)
  }

  enter(): void {
    this.#users++
  }

  /** The connection closes with the last user; work that still waits is done first. */
  leave(): void {
    this.#users--
    this.#closeIfUnused()
  }

  /** Takes the lock at once if nobody has it or waits for it. `true` must be followed by `unlock`. */
  tryLock(): boolean {
    if (this.#held || this.#waiting.length > 0) return false
    this.#held = this.#database.tryLock()
    return this.#held
  }

  unlock(): void {
    this.#database.unlock()
    this.#held = false
    this.#closeIfUnused()
  }

  wait(waiter: Waiter): void {
    this.#waiting.push(waiter)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    const delayMs = retryDelayMs(this.#failedTries)
    if (delayMs === 0) setImmediate(this.#turn)
    else setTimeout(this.#turn, delayMs)
  }

  readonly #turn = (): void => {
    this.#scheduled = false
    try {
      this.#serve()
    } catch (error) {
      for (const waiter of this.#waiting.splice(0)) waiter.fail(error)
    }
    if (this.#waiting.length > 0) this.#schedule()
    else this.#closeIfUnused()
  }

  #serve(): void {
    for (const waiter of this.#waiting.slice(0, BATCH)) waiter.whileWaiting()
    this.#held = this.#database.tryLock()
    if (!this.#held) {
      this.#failedTries++
      this.#expire()
      return
    }
    this.#failedTries = 0
    const batch = this.#waiting.splice(0, BATCH)
    for (const waiter of batch) waiter.run()
    this.unlock()
    for (const waiter of batch) waiter.end()
  }

  /** Only after a try that failed, so that nobody is refused a lock that is free because the process was slow. */
  #expire(): void {
    const now = performance.now()
    const expired = this.#waiting.filter((waiter) => waiter.deadline <= now)
    if (expired.length === 0) return
    this.#waiting = this.#waiting.filter((waiter) => waiter.deadline > now)
    for (const waiter of expired) waiter.fail()
  }

  #closeIfUnused(): void {
    if (this.#users > 0 || this.#held || this.#waiting.length > 0) return
    this.#database.close()
    if (open.get(this.#path) === this) open.delete(this.#path)
  }
}
