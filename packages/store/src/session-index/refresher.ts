import { TreelineError } from '@treeline/core'
import type { Home } from '../home.ts'
import { Pace } from './pace.ts'
import { runRefresh } from './refresh.ts'
import { type RunningWorker, runInWorker } from './run-in-worker.ts'
import type { RefreshOptions, RefreshProgress, RefreshReport } from './session-index.ts'
import type { SourceModule } from './session-source.ts'
import type { Sources } from './sources.ts'
import type { Change, Sweep } from './sweep.ts'

export interface RefresherOptions {
  readonly home: Home
  readonly sources: Sources
  readonly modules: readonly SourceModule[]
  /** Whether much work is done in a thread of its own. */
  readonly worker: boolean
}

/** More than this, or a longer log, is too much for the thread that people wait for. */
const MAX_BYTES_HERE = 512 * 1024
const MAX_FILE_BYTES_HERE = 32 * 1024 * 1024
const MAX_FILES_HERE = 64
/** Behind lists and searches it is looked for changes this often at most, and not more than a tenth of the time. */
const MIN_QUIET_MS = 1000
const QUIET_FACTOR = 10

/** Brings the index up to date for one process, one run at a time. */
export class Refresher {
  private readonly options: RefresherOptions
  private current: Run | undefined
  /** Begins when the current one ends: what happens after its sweep is not in the current one. */
  private next: Run | undefined
  private quietUntil = 0
  private isClosed = false

  constructor(options: RefresherOptions) {
    this.options = options
  }

  /** Files that are known to have changed and are not indexed yet. */
  get pending(): readonly Change[] {
    return this.current?.pending ?? []
  }

  refresh({ onProgress, signal }: RefreshOptions = {}): Promise<RefreshReport> {
    if (this.isClosed) {
      return Promise.reject(closedError())
    }
    return this.joinable().join(onProgress, signal)
  }

  /** Catches up behind whoever asked; nobody waits for it, and a process may end meanwhile. */
  catchUp(): void {
    if (this.isClosed || this.current !== undefined || performance.now() < this.quietUntil) return
    // What goes wrong is told to whoever waits for a refresh.
    this.joinable().report.catch(() => {})
  }

  /** What runs is stopped; what it had finished stays. */
  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all([this.current?.end(closedError()), this.next?.end(closedError())])
  }

  /** A run that has not swept yet will see everything there is now, unless all who waited for it have gone. */
  private joinable(): Run {
    if (this.current === undefined) {
      this.current = this.start()
      return this.current
    }
    if (!this.current.hasBegun && !this.current.isStopped) return this.current
    if (this.next === undefined || this.next.isStopped) this.next = this.start(this.current)
    return this.next
  }

  private start(before?: Run): Run {
    const run = new Run(this.options, before)
    const end = (): void => {
      this.quietUntil = performance.now() + Math.max(MIN_QUIET_MS, run.sweepMs * QUIET_FACTOR)
      // One that was stopped before its turn, and that another has taken the place of.
      if (this.current !== run) return
      this.current = this.next
      this.next = undefined
    }
    run.report.then(end, end)
    return run
  }
}

class Run {
  readonly report: Promise<RefreshReport>
  /** Set when what happens from now on may be missed. */
  hasBegun = false
  sweepMs = 0
  private changes: readonly Change[] = []
  private filesDone = 0
  private readonly options: RefresherOptions
  private readonly stopping = new AbortController()
  private readonly pace = new Pace(this.stopping.signal)
  private readonly listeners = new Set<(progress: RefreshProgress) => void>()
  private worker: RunningWorker | undefined
  /** Waited for until this one may begin. */
  private before: Run | undefined
  private waiting = 0
  private holds = 0

  constructor(options: RefresherOptions, before: Run | undefined) {
    this.options = options
    this.before = before
    this.pace.hold(false)
    this.report = Promise.allSettled([before?.report]).then(() => this.run())
  }

  /** Waits for the run. Whoever aborts waits no longer; when nobody waits any more, the run is stopped. */
  join(onProgress?: (progress: RefreshProgress) => void, signal?: AbortSignal): Promise<RefreshReport> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    this.waiting++
    this.hold(1)
    return new Promise((resolve, reject) => {
      let isWaiting = true
      const leave = (): void => {
        if (!isWaiting) return
        isWaiting = false
        signal?.removeEventListener('abort', abort)
        this.listeners.delete(listen)
        this.waiting--
        this.hold(-1)
      }
      const giveUp = (reason: unknown): void => {
        leave()
        if (this.waiting === 0) this.stop()
        reject(reason)
      }
      const abort = (): void => giveUp(signal!.reason)
      // Who cannot bear to be told is alone with that; thrown here it would end the run, or the process.
      const listen = (progress: RefreshProgress): void => {
        try {
          onProgress?.(progress)
        } catch (error) {
          giveUp(error)
        }
      }
      this.listeners.add(listen)
      signal?.addEventListener('abort', abort)
      this.report.then(resolve, reject).finally(leave)
    })
  }

  /** Files are done in the order of the sweep. */
  get pending(): readonly Change[] {
    return this.changes.slice(this.filesDone)
  }

  get isStopped(): boolean {
    return this.stopping.signal.aborted
  }

  stop(reason?: TreelineError): void {
    this.stopping.abort(reason)
  }

  /** Stops it and waits until nothing of it is left, which a process that has nothing else to do has to wait for too. */
  async end(reason: TreelineError): Promise<void> {
    this.hold(1)
    this.stop(reason)
    await this.report.catch(() => {})
  }

  /** Whether a process waits for it: while anyone waits for this run or for one behind it. */
  private hold(more: 1 | -1): void {
    this.holds += more
    this.pace.hold(this.holds > 0)
    this.worker?.hold(this.holds > 0)
    this.before?.hold(more)
  }

  private async run(): Promise<RefreshReport> {
    const { home, sources } = this.options
    this.before = undefined
    try {
      this.stopping.signal.throwIfAborted()
      return await runRefresh({
        paths: home.paths,
        sources,
        pace: this.pace,
        onBegin: () => {
          this.hasBegun = true
          this.sweepMs = performance.now()
        },
        onSweep: (sweep) => {
          this.sweepMs = performance.now() - this.sweepMs
          this.changes = sweep.changes
          this.filesDone = 0
        },
        onProgress: (progress) => this.tell(progress),
        elsewhere: (sweep) => this.startWorker(sweep),
      })
    } finally {
      this.hasBegun = true
      this.changes = []
    }
  }

  private startWorker(sweep: Sweep): Promise<RefreshReport> | undefined {
    const { home, modules, worker } = this.options
    if (!worker || !isMuch(sweep)) return undefined
    const order = { home: home.paths.home, modules, sweep }
    this.worker = runInWorker(order, this.stopping.signal, (progress) => this.tell(progress))
    this.worker.hold(this.holds > 0)
    return this.worker.report
  }

  private tell(progress: RefreshProgress): void {
    this.filesDone = progress.filesDone
    for (const listener of this.listeners) listener(progress)
  }
}

function closedError(): TreelineError {
  return new TreelineError('bad_request', 'The index is closed. Open it again.')
}

function isMuch({ changes, gone }: Sweep): boolean {
  if (changes.length + gone.length > MAX_FILES_HERE) return true
  let bytes = 0
  for (const change of changes) {
    bytes += change.bytes
    if (bytes > MAX_BYTES_HERE || change.size > MAX_FILE_BYTES_HERE) return true
  }
  return false
}
