import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy } from './history-errors.ts'

const PAUSE_MS = 10
const WAIT_MS = 2_000

/** Tries again while another process has the database, without blocking the event loop; the last error after some seconds. */
export async function retryBusy<T>(work: () => T): Promise<T> {
  const deadline = performance.now() + WAIT_MS
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
    }
    // Half of a pause is chance, so that processes do not march in step.
    await sleep(PAUSE_MS * (0.5 + Math.random()))
  }
}
