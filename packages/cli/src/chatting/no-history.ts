import type { PromptHistory } from '@treeline/store'

/** For a chat that keeps nothing where no history is, and until the real one is open: empty, and it stays so. */
export const NO_HISTORY: PromptHistory = {
  problem: undefined,
  lastError: undefined,
  failureCount: 0,
  pendingCount: 0,
  lostCount: 0,
  add() {},
  flush: async () => true,
  recent: async () => [],
  search: async () => [],
  remove: async () => false,
  removeContaining: async () => ({ removed: 0, unsearched: [] }),
  close: async () => {},
  [Symbol.asyncDispose]: async () => {},
}
