import type { FanoutOptions } from '../child/job.ts'

/** Before anything counts: until both sides have compiled what they run. */
export const WARM_UP_EVENTS = 100
const TEXT = 'What one says to another in a conversation, about as long as people write. '.repeat(6)

/** A message that says when it was sent, on a clock that processes share. One of the warm-up does not. */
export function timedText(isTimed: boolean): string {
  return isTimed ? `sent=${process.hrtime.bigint()} ${TEXT}` : TEXT
}

/** Runs `send` so often a second, by a clock that does not slip. */
export async function atPace({ perSecond }: FanoutOptions, count: number, send: () => unknown): Promise<void> {
  const start = performance.now()
  for (let i = 0; i < count; i++) {
    const ms = start + (i * 1_000) / perSecond - performance.now()
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
    await send()
  }
}
