import { type Tree, TreelineError } from '@treeline/core'
import type { LineBuffer } from './line-buffer.ts'
import type { Durability, Plan, Planned } from './session-log.ts'

export interface QueueOptions {
  /** Writes are held back until so many are waiting or so much time has passed, as in P14. Off by default. */
  readonly buffer?: { readonly maxEntries?: number; readonly intervalMs?: number } | undefined
  /** Requests that may wait. Beyond it a request is refused at once: memory is not where a backlog belongs. */
  readonly maxWaiting?: number | undefined
  readonly durability?: Durability | undefined
}

/** A request as the log sees it while writing a batch. */
export interface Pending {
  /** Adds its lines, none when it adds nothing or is refused; then only this request fails. */
  plan(tree: Tree, lines: LineBuffer): void
}

export interface Written {
  /** Resolves when it is as durable as was asked for; `undefined` when it is already. */
  readonly durable: Promise<void> | undefined
}

const MAX_WAITING = 16_384
const MAX_BATCH = 1024
const BUFFER_ENTRIES = 10
const BUFFER_INTERVAL_MS = 1000

/** Written and waiting for the disk: one batch that is being synced, and one that is next. */
const MAX_SYNCING = 2
/** So many make two batches when the disk is idle: it is at work on the first while the second is made. */
const MIN_SPLIT = 32

/**
 * Gathers requests and commits them in order, many at a time (group commit). One batch is written after the other; while
 * one is being synced the next may be written.
 */
export class CommitQueue {
  private readonly options: QueueOptions
  private readonly commit: (batch: readonly Pending[]) => Promise<Written>
  private waiting: Request<unknown>[] = []
  private running: Promise<void> | undefined
  /** Batches that are written and not durable yet, oldest first. None of these rejects. */
  private readonly syncing = new Set<Promise<void>>()
  private timer: NodeJS.Timeout | undefined

  constructor(options: QueueOptions, commit: (batch: readonly Pending[]) => Promise<Written>) {
    this.options = options
    this.commit = commit
  }

  add<T>(plan: Plan<T>): Promise<T> {
    const { maxWaiting = MAX_WAITING } = this.options
    if (this.waiting.length >= maxWaiting) {
      const message = `${maxWaiting} entries are waiting to be written. Wait for earlier ones before adding more.`
      return Promise.reject(new TreelineError('rate_limited', message))
    }
    const request = new Request(plan)
    this.waiting.push(request as Request<unknown>)
    if (this.isDue) this.start()
    else if (this.running === undefined) this.startTimer()
    return request.promise
  }

  /** Resolves when what is being written is done with; `undefined` while nothing is. Never rejects. */
  get written(): Promise<void> | undefined {
    return this.running ?? this.oldestSyncing
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
    while (this.waiting.length > 0 || this.written !== undefined) {
      if (this.waiting.length > 0) this.start()
      await this.written
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
      if (this.syncing.size >= MAX_SYNCING) await this.oldestSyncing
      const batch = this.takeBatch()
      try {
        const { durable } = await this.commit(batch)
        if (durable === undefined) settle(batch)
        else this.follow(batch, durable)
      } catch (error) {
        settle(batch, { error })
      }
      // Whoever was waiting for this batch asks for the next thing now.
      await undefined
    } while (this.isDue)
    this.running = undefined
    // What came while the last batch was written, and is not enough for another (P15).
    if (this.waiting.length > 0) this.startTimer()
  }

  private takeBatch(): readonly Request<unknown>[] {
    const { waiting, syncing, options } = this
    const isIdle = options.durability !== 'written' && syncing.size === 0
    const half = isIdle && waiting.length >= MIN_SPLIT ? Math.ceil(waiting.length / 2) : waiting.length
    const count = Math.min(half, MAX_BATCH)
    this.waiting = waiting.slice(count)
    return count === waiting.length ? waiting : waiting.slice(0, count)
  }

  private follow(batch: readonly Request<unknown>[], durable: Promise<void>): void {
    const end = (failed?: Failed): void => {
      this.syncing.delete(done)
      settle(batch, failed)
    }
    const done = durable.then(
      () => end(),
      (error) => end({ error }),
    )
    this.syncing.add(done)
  }

  private get oldestSyncing(): Promise<void> | undefined {
    const [oldest] = this.syncing
    return oldest
  }
}

interface Failed {
  readonly error: unknown
}

function settle(batch: readonly Request<unknown>[], failed?: Failed): void {
  for (const request of batch) request.settle(failed)
}

class Request<T> implements Pending {
  readonly promise: Promise<T>
  private readonly makePlan: Plan<T>
  private resolve!: (result: T) => void
  private reject!: (error: unknown) => void
  private planned: Planned<T> | undefined
  private refused: Failed | undefined

  constructor(makePlan: Plan<T>) {
    this.makePlan = makePlan
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }

  plan(tree: Tree, lines: LineBuffer): void {
    const before = lines.mark()
    try {
      const planned = this.makePlan(tree)
      addLines(planned, lines)
      this.planned = planned
      planned.accepted?.()
    } catch (error) {
      lines.cutTo(before)
      this.refused = { error }
    }
  }

  settle(failed?: Failed): void {
    const { planned, refused = failed } = this
    if (refused !== undefined) {
      this.reject(refused.error)
      return
    }
    planned!.acknowledged?.()
    this.resolve(planned!.result)
  }
}

function addLines({ entries, message }: Planned<unknown>, lines: LineBuffer): void {
  if (message !== undefined) lines.addMessage(message.entry, message.text)
  else for (const entry of entries) lines.addEntry(entry)
}
