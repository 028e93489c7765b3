import { Worker } from 'node:worker_threads'
import { type ErrorCode, TreelineError } from '@treeline/core'
import { moduleUrl } from '../module-url.ts'
import { BrokenIndexError } from './index-database.ts'
import type { RefreshProgress, RefreshReport } from './session-index.ts'
import type { SourceModule } from './session-source.ts'
import type { Sweep } from './sweep.ts'

/** What a worker is started with. */
export interface WorkerOrder {
  readonly home: string
  readonly modules: readonly SourceModule[]
  readonly sweep: Sweep
}

/** What it says. */
export type FromWorker =
  | { readonly type: 'progress'; readonly progress: RefreshProgress }
  | { readonly type: 'done'; readonly report: RefreshReport }
  | {
      readonly type: 'failed'
      readonly why: 'broken' | 'busy' | 'other'
      readonly code?: ErrorCode
      readonly message: string
    }

export interface RunningWorker {
  readonly report: Promise<RefreshReport>
  /** Whether a process that has nothing else to do waits for it. */
  hold(isHeld: boolean): void
}

/** Resolves when the thread has ended, so that nothing of it is left running. */
export function runInWorker(
  order: WorkerOrder,
  signal: AbortSignal,
  onProgress: (progress: RefreshProgress) => void,
): RunningWorker {
  const options = { workerData: order, stdin: false, execArgv: workerArguments() }
  const worker = new Worker(new URL(moduleUrl('refresh-worker', import.meta.url)), options)
  const report = new Promise<RefreshReport>((resolve, reject) => {
    let said: FromWorker | undefined
    let crash: unknown
    const stop = (): void => worker.postMessage('stop')
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'progress') onProgress(message.progress)
      else said = message
    })
    worker.on('error', (error) => {
      crash = error
    })
    worker.on('exit', () => {
      signal.removeEventListener('abort', stop)
      if (said?.type === 'done') resolve(said.report)
      else if (signal.aborted) reject(signal.reason)
      else reject(said?.type === 'failed' ? failure(said) : diedError(crash))
    })
  })
  return {
    report,
    hold(isHeld) {
      if (isHeld) worker.ref()
      else worker.unref()
    },
  }
}

/** Those of the process, as is usual; but what says how a program given as text is to be read ends a thread that has a file. */
function workerArguments(): string[] | undefined {
  return process.execArgv.some((argument) => argument.startsWith('--input-type')) ? [] : undefined
}

function failure({ why, code = 'internal', message }: Extract<FromWorker, { type: 'failed' }>): Error {
  return why === 'broken' ? new BrokenIndexError(message) : new TreelineError(code, message)
}

function diedError(cause: unknown): TreelineError {
  const reason = cause instanceof Error ? `: ${cause.message}` : ''
  const message = `The thread that brings the index up to date ended${reason}. What it had finished is kept; try again.`
  return new TreelineError('internal', message, {}, { cause })
}
