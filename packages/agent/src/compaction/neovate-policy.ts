import type { ModelInfo } from '../models/model.ts'
import { lastCut } from './fit-cut.ts'
import type { CompactionPolicy } from './policy.ts'

const MIN_TOKENS = 25_600
const RATIO = 0.9
const MAX_OUTPUT = 32_000
/** What is kept free, by the size of the window. */
const RESERVES: ReadonlyMap<number, number> = new Map([
  [32_768, 10_000],
  [65_536, 27_000],
  [131_072, 30_000],
  [200_000, 40_000],
])
const OTHER_RESERVE = 40_000
const OTHER_RATIO = 0.8

/**
 * Neovate's thresholds (N65–N69), for those who come from there. Unlike there the request about to be sent is what counts
 * (X63), and a window that the least number of tokens does not fit into is not left alone (X62). Nothing is kept but the
 * prompt that waits for its answer.
 */
export function neovatePolicy(): CompactionPolicy {
  return {
    name: 'neovate',
    shouldCompact: ({ tokens, model }) => tokens >= floorOf(model) && tokens >= thresholdOf(model),
    findCut: lastCut,
  }
}

function floorOf({ contextWindow }: ModelInfo): number {
  return contextWindow > MIN_TOKENS ? MIN_TOKENS : 0
}

function thresholdOf({ contextWindow, maxOutput }: ModelInfo): number {
  const reserve = RESERVES.get(contextWindow)
  const byReserve =
    reserve === undefined
      ? Math.max(contextWindow - OTHER_RESERVE, contextWindow * OTHER_RATIO)
      : contextWindow - reserve
  return Math.max((contextWindow - Math.min(maxOutput, MAX_OUTPUT)) * RATIO, byReserve)
}
