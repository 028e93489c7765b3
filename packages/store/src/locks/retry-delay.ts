/** A lock is held for microseconds: it is likely to be free within a few turns of the event loop. So tries come in bursts. */
const BURST = 4
const FIRST_PAUSE_MS = 2
const GROWTH_MS = 0.5
const LONGEST_PAUSE_MS = 10

/** How long to wait after so many tries in vain; 0 is one turn. Half of a pause is chance, so that processes do not march in step. */
export function retryDelayMs(failedTries: number): number {
  if (failedTries === 0 || failedTries % BURST !== 0) return 0
  const pausesBefore = failedTries / BURST - 1
  return Math.min(FIRST_PAUSE_MS + pausesBefore * GROWTH_MS, LONGEST_PAUSE_MS) * (0.5 + Math.random())
}
