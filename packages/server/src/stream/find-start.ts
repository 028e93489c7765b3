import type { LiveSession } from '../hub/live-session.ts'

export interface AskedFrom {
  readonly afterSeq?: number | undefined
  readonly epoch?: string | undefined
}

/** The first line of a log is its header, which is no event. */
const HEADER_SEQ = 1

/**
 * The number after which a client is told; the present when it names none. `undefined` when it must read the tree anew: it
 * knows another log, knows more than there is, or has missed too much (W4).
 */
export async function findStart(
  live: LiveSession,
  { afterSeq, epoch }: AskedFrom,
  eventsBehind = Number.POSITIVE_INFINITY,
): Promise<number | undefined> {
  // Another server may have told of what this one has not looked at.
  if (afterSeq !== undefined && afterSeq > live.session.seq) await live.session.refresh()
  if (epoch !== undefined && epoch !== live.epoch) return undefined
  if (afterSeq === undefined) return live.headSeq
  const start = Math.max(afterSeq, HEADER_SEQ)
  const isThere = start <= live.session.seq && start + 1 >= live.oldestSeq
  return isThere && live.headSeq - start <= eventsBehind ? start : undefined
}
