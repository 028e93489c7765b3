import type { CompactionItem, CompactionPolicy, RequestSize } from './policy.ts'

export interface PiPolicyOptions {
  /** Kept free for the answer: compaction starts when less than this is left. */
  readonly reserveTokens: number
  /** How much of the newest is kept as it is. */
  readonly keepRecentTokens: number
}

/**
 * Pi's rule (M11, M12): compact when less than the reserve is left, keep about the newest `keepRecentTokens`. In a small
 * window the reserve takes at most half of the room that system prompt and tools leave, and what is kept half of the rest:
 * otherwise a model of 8k would compact at every turn and have nothing to cover.
 */
export function piPolicy({ reserveTokens, keepRecentTokens }: PiPolicyOptions): CompactionPolicy {
  const reserveIn = (size: RequestSize) => Math.min(reserveTokens, Math.floor(roomOf(size) / 2))
  return {
    name: 'pi',
    shouldCompact: (size) => size.tokens > size.model.contextWindow - reserveIn(size),
    findCut: (items, size) => {
      const most = Math.floor((roomOf(size) - reserveIn(size)) / 2)
      return cutBefore(items, Math.min(keepRecentTokens, most))
    },
  }
}

function roomOf({ model, fixedTokens }: RequestSize): number {
  return Math.max(0, model.contextWindow - fixedTokens)
}

/** The first place for a cut in the newest stretch of so many tokens; 0 when all there is has no more. */
function cutBefore(items: readonly CompactionItem[], keepTokens: number): number {
  if (keepTokens <= 0) return items.length
  let start = items.length
  for (let tokens = 0; tokens < keepTokens; tokens += items[start]!.tokens) {
    if (start === 0) return 0
    start--
  }
  const next = items.findIndex((item, index) => index >= start && item.canStart)
  if (next >= 0) return next
  // Nothing but results follow: then their calls are kept with them, although that is more.
  return Math.max(
    0,
    items.findLastIndex(({ canStart }) => canStart),
  )
}
