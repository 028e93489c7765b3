import { neovateThreshold } from '@treeline/core'
import { lastCut } from './fit-cut.ts'
import type { CompactionPolicy } from './policy.ts'

/**
 * Neovate's thresholds (N65–N69), for those who come from there. Unlike there the request about to be sent is what counts
 * (X63). Nothing is kept but the prompt that waits for its answer.
 */
export function neovatePolicy(): CompactionPolicy {
  return {
    name: 'neovate',
    shouldCompact: ({ tokens, model: { contextWindow, maxOutput } }) =>
      tokens >= neovateThreshold(contextWindow, maxOutput),
    findCut: lastCut,
  }
}
