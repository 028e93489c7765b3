import { TreelineError } from '@treeline/core'
import type { LineBuffer } from './line-buffer.ts'
import type { Plan, Planned, Planning } from './session-log.ts'

export interface QueueOptions {
  /** Writes are held back until so many are waiting or so much time has passed, as in P14. Off by default. */
  readonly buffer?: { readonly maxEntries?: number; readonly intervalMs?: number } | undefined
  /** Requests that may wait. Beyond it a request is refused at once: memory is not where a backlog belongs. */
  readonly maxWaiting?: number | undefined
}

/** A request as the log sees it while writing a batch. */
export interface Pending {
  /** Adds its lines, none when it adds nothing or is refused; then only this request fails. */
  plan(planning: Planning, lines: LineBuffer): void
}

const MAX_WAITING = 16_384
const MAX_BATCH = 1024
const BUFFER_ENTRIES = 10
const BUFFER_INTERVAL_MS = 1000

/**
 * Gathers requests and commits them in order, many at a time, one batch after the other (group commit). What is asked for
 * while one is on its way to the disk is the next, and is written before those are told who waited for the first.
 */
export class CommitQueue {
  private readonly options: QueueOptions
  private readonly commit: (batch: readonly Pending[]) => Promise<void>
  private waiting: Request<unknown>[] = []
  /** Those that are being written. */
  private batch: readonly Request<unknown>[] = []
  /** The last that somebody waits for with `flush`: it is not held back, nor is what was asked for before it. */
  private hurried: Request<unknown> | undefined
  private running: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined

  /** `commit` writes at once where it can, and resolves when the batch is as durable as was asked for. */
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
    const request = new Request(plan)
    this.waiting.push(request as Request<unknown>)
    if (this.isDue) this.start()
    else if (this.running === undefined) this.startTimer()
    return request.promise
  }

  /** Resolves when what is being written is done with; `undefined` while nothing is. Never rejects. */
  get written(): Promise<void> | undefined {
    return this.running
  }

  /** Whether what waits need not be held back any longer. */
  private get isDue(): boolean {
    const { buffer } = this.options
    const { waiting, hurried } = this
    if (buffer === undefined || waiting.length === 0) return waiting.length > 0
    return (
      waiting.length >= (buffer.maxEntries ?? BUFFER_ENTRIES) || (hurried !== undefined && waiting.includes(hurried))
    )
  }

  /** Runs, and keeps the process alive, only while someone waits for it. */
  private startTimer(): void {
    this.timer ??= setTimeout(() => this.start(), this.options.buffer?.intervalMs ?? BUFFER_INTERVAL_MS)
  }

  /** Resolves when what was asked for so far is over, whatever others ask for meanwhile. Never rejects. */
  async flush(): Promise<void> {
    const last = this.waiting.at(-1) ?? this.batch.at(-1)
    if (last === undefined) return
    this.hurried = last
    this.start()
    await last.promise.then(nothing, nothing)
    if (this.hurried === last) this.hurried = undefined
  }

  /** Resolves when nothing is left to write. Nobody asks for anything more. */
  async close(): Promise<void> {
    while (this.waiting.length > 0 || this.running !== undefined) {
      this.start()
      await this.running
    }
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
      let under: UnderWay | undefined = this.begin()
      while (under !== undefined) {
        const failed = await under.ended
        const batch = failed === undefined ? this.putBack(under.batch) : under.batch
        if (failed !== undefined) for (const request of batch) request.lose()
        // The disk has to do again before whoever waited goes on and asks for more.
        under = this.isDue ? this.begin() : undefined
        for (const request of batch) request.settle(failed)
      }
      this.batch = []
      // Whoever was waiting for this batch asks for the next thing now.
      await undefined
    } while (this.isDue)
    this.running = undefined
    // What came while the last batch was written, and is not enough for another (P15).
    if (this.waiting.length > 0) this.startTimer()
  }

  private begin(): UnderWay {
    const { waiting } = this
    const batch = waiting.length <= MAX_BATCH ? waiting : waiting.slice(0, MAX_BATCH)
    this.waiting = waiting.slice(batch.length)
    this.batch = batch
    const ended = this.commit(batch).then(
      () => undefined,
      (error) => ({ error }),
    )
    return { batch, ended }
  }

  /** Those of a batch for which it had no room come next. Returns the others. */
  private putBack(batch: readonly Request<unknown>[]): readonly Request<unknown>[] {
    if (batch.at(-1)?.isPlanned !== false) return batch
    const planned = batch.findIndex(({ isPlanned }) => !isPlanned)
    this.waiting = [...batch.slice(planned), ...this.waiting]
    return batch.slice(0, planned)
  }
}

interface UnderWay {
  readonly batch: readonly Request<unknown>[]
  /** Never rejects. */
  readonly ended: Promise<Failed | undefined>
}

interface Failed {
  readonly error: unknown
}

class Request<T> implements Pending {
  readonly promise: Promise<T>
  /** Whether its turn has come, however it went. */
  isPlanned = false
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

  plan(planning: Planning, lines: LineBuffer): void {
    const before = lines.mark()
    this.isPlanned = true
    try {
      const planned = this.makePlan(planning)
      addLines(planned, lines)
      this.planned = planned
      planned.accepted?.()
    } catch (error) {
      lines.cutTo(before)
      this.refused = { error }
    }
  }

  /** What it was to add could not be stored. */
  lose(): void {
    if (this.refused !== undefined) return
    try {
      this.planned?.lost?.()
    } catch {
      // The others are told all the same, and this one that its entry is not stored.
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

function nothing(): void {}
