import { Worker } from 'node:worker_threads'
import { TreelineError } from '@treeline/core'
import { moduleUrl } from '@treeline/store'
import type { Found, FromSearch, SearchOrder } from './search-order.ts'

const TIME_LIMIT_MS = 20_000
/** For the thread to come up, on a busy machine. */
const START_LIMIT_MS = 30_000

export interface SearchResult {
  readonly found: readonly Found[]
  /** Why there may be more. */
  readonly endedBy: 'end' | 'limit' | 'time'
  readonly unreadable: number
}

/** Searches in a thread, for so long and no longer; what was found by then is returned. */
export function runSearch(
  order: SearchOrder,
  signal: AbortSignal,
  timeLimitMs: number = TIME_LIMIT_MS,
): Promise<SearchResult> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const worker = new Worker(new URL(moduleUrl('search-worker', import.meta.url)), { workerData: order, stdin: false })
    const found: Found[] = []
    const end = (then: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      worker.removeAllListeners()
      // Told of once more when it ends badly; nobody listens by then.
      worker.on('error', () => {})
      void worker.terminate()
      then()
    }
    const onAbort = (): void => end(() => reject(signal.reason))
    const endByTime = (): void => {
      end(() => resolve({ found, endedBy: 'time', unreadable: 0 }))
    }
    let timer = setTimeout(endByTime, START_LIMIT_MS)
    signal.addEventListener('abort', onAbort, { once: true })
    worker.on('message', (message: FromSearch) => {
      if (message.type === 'started') {
        clearTimeout(timer)
        timer = setTimeout(endByTime, timeLimitMs)
      } else if (message.type === 'found') {
        for (const one of message.found) found.push(one)
      } else if (message.type === 'done') {
        const { isLimited, unreadable } = message
        end(() => resolve({ found, endedBy: isLimited ? 'limit' : 'end', unreadable }))
      } else end(() => reject(new TreelineError('bad_request', message.message)))
    })
    worker.on('error', (error) => end(() => reject(error)))
    worker.on('exit', () => end(() => reject(new TreelineError('internal', 'The search ended without a word.'))))
  })
}
