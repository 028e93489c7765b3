import { crc32 } from 'node:zlib'
import { type Entry, encodeLine, type Tree, TreelineError } from '@treeline/core'
import { noteEdit } from './known-edits.ts'
import { preparedMessages } from './prepared-messages.ts'
import type { Plan, Planned } from './session-log.ts'

export interface QueueOptions {
  /** Writes are held back until so many are waiting or so much time has passed, as in P14. Off by default. */
  readonly buffer?: { readonly maxEntries?: number; readonly intervalMs?: number } | undefined
  /** Requests that may wait. Beyond it a request is refused at once: memory is not where a backlog belongs. */
  readonly maxWaiting?: number | undefined
}

/** A request as the log sees it while writing a batch. */
export interface Pending {
  /** The lines it adds, none when it adds nothing or is refused; then only this request fails. */
  plan(tree: Tree): readonly Uint8Array[]
}

interface Request extends Pending {
  settle(error?: unknown): void
}

const MAX_WAITING = 16_384
const MAX_BATCH = 1024
const BUFFER_ENTRIES = 10
const BUFFER_INTERVAL_MS = 1000

/** Gathers requests and commits them in order, many at a time, one batch after the other (group commit). */
export class CommitQueue {
  private readonly options: QueueOptions
  private readonly commit: (batch: readonly Pending[]) => Promise<void>
  private waiting: Request[] = []
  private running: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined

  constructor(options: QueueOptions, commit: (batch: readonly Pending[]) => Promise<void>) {
    this.options = options
    this.commit = commit
  }

  add<T>(plan: Plan<T>): Promise<T> {
    const { maxWaiting = MAX_WAITING } = this.options
    if (this.waiting.length >= maxWaiting) {
      const message = `${maxWaiting} entries are waiting to be written. Wait for earlier ones before adding more.`
      return Promise.reject(new TreelineError('rate_limited', message))
    }
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.waiting.push(createRequest(plan, resolve, reject))
    if (this.isDue) this.start()
    else if (this.running === undefined) this.startTimer()
    return promise
  }

  /** Resolves when what is being written is done with; `undefined` while nothing is. Never rejects. */
  get written(): Promise<void> | undefined {
    return this.running
  }

  /** Whether what waits need not be held back any longer. */
  private get isDue(): boolean {
    const { buffer } = this.options
    return this.waiting.length >= (buffer === undefined ? 1 : (buffer.maxEntries ?? BUFFER_ENTRIES))
  }

  /** Runs, and keeps the process alive, only while someone waits for it. */
  private startTimer(): void {
    this.timer ??= setTimeout(() => this.start(), this.options.buffer?.intervalMs ?? BUFFER_INTERVAL_MS)
  }

  async flush(): Promise<void> {
    while (this.waiting.length > 0 || this.running !== undefined) {
      this.start()
      await this.running
    }
  }

  close(): Promise<void> {
    return this.flush()
  }

  private start(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.running ??= this.drain()
  }

  private async drain(): Promise<void> {
    // Everything asked for in this turn of the event loop goes into one write.
    await undefined
    do {
      const batch = this.waiting.length <= MAX_BATCH ? this.waiting : this.waiting.slice(0, MAX_BATCH)
      this.waiting = this.waiting.slice(batch.length)
      try {
        await this.commit(batch)
        for (const request of batch) request.settle()
      } catch (error) {
        for (const request of batch) request.settle(error)
      }
      // Whoever was waiting for this batch asks for the next thing now.
      await undefined
    } while (this.isDue)
    this.running = undefined
    // What came while the last batch was written, and is not enough for another (P15).
    if (this.waiting.length > 0) this.startTimer()
  }
}

function toLine(entry: Entry): Uint8Array {
  const line = encodeLine(entry, crc32, preparedMessages)
  noteEdit(line, entry)
  return line
}

function createRequest<T>(plan: Plan<T>, resolve: (result: T) => void, reject: (error: unknown) => void): Request {
  let planned: Planned<T> | undefined
  let refused: { readonly error: unknown } | undefined
  return {
    plan(tree) {
      try {
        planned = plan(tree)
        const lines = planned.entries.map(toLine)
        planned.accepted?.()
        return lines
      } catch (error) {
        refused = { error }
        return []
      }
    },
    settle(error) {
      if (refused !== undefined) reject(refused.error)
      else if (error !== undefined) reject(error)
      else resolve(planned!.result)
    },
  }
}
