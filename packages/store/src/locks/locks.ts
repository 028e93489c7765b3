import { TreelineError } from '@treeline/core'

/** What need not keep others waiting. */
export interface AroundLock {
  /** Before every try but the first, while somebody else may have the lock. Never throws. */
  whileWaiting?(): void
  /** At once when the work has ended well and the lock is given back, before anybody else's turn. What it throws, `run` does. */
  afterwards?(): void
}

/** Keeps writers of one session apart, also those of other processes. Held for the microseconds of one write. */
export interface SessionLocks {
  /**
   * Waits for the session's lock and runs `work` under it; `work` is synchronous, so the lock is never held across an
   * `await`. Throws `session_locked` when it cannot be had within the timeout.
   */
  run<T>(sessionId: string, work: () => T, around?: AroundLock): Promise<T>
  /** Refuses new work; what waits already is still done. */
  close(): void
}

export function locksClosed(): TreelineError {
  return new TreelineError('internal', 'These locks are closed. Open the store again before writing to it.')
}
