const MIN_TOKENS = 25_600
const RATIO = 0.9
const MAX_OUTPUT = 32_000
/** Tokens kept free, by the size of the context (N67). */
const RESERVES: ReadonlyMap<number, number> = new Map([
  [32_768, 10_000],
  [65_536, 27_000],
  [131_072, 30_000],
  [200_000, 40_000],
])
const OTHER_RESERVE = 40_000
const OTHER_RATIO = 0.8

/**
 * From how many tokens on Neovate compacts a history (N66–N69). Its floor of 25,600 tokens counts only for contexts that are
 * larger: smaller ones would never be compacted at all (X62).
 */
export function neovateThreshold(context: number, output: number): number {
  const reserve = RESERVES.get(context)
  const allowed = reserve === undefined ? Math.max(context - OTHER_RESERVE, context * OTHER_RATIO) : context - reserve
  const threshold = Math.max((context - Math.min(output, MAX_OUTPUT)) * RATIO, allowed)
  return context > MIN_TOKENS ? Math.max(threshold, MIN_TOKENS) : threshold
}
