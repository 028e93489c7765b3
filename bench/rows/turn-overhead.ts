import type { Job } from '../child/job.ts'
import { hashOf, makeDeltas } from '../inputs/deltas.ts'
import { scaled } from '../inputs/sessions.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianMs } from '../statistics.ts'

/** From a model in the process, and from a provider's package and a server beside it. */
const FROM = ['memory', 'wire'] as const
/** Turns that a chat had before. */
const EARLIER = 5

export const turnOverhead: ProcessRow = {
  id: 'turn-overhead',
  what: 'a turn of 10,000 deltas at full speed, everything in the log, after five others (also: the first) | a bare streamText consumer',

  plan(work) {
    const count = scaled(10_000)
    const text = hashOf(makeDeltas(count).join(''))
    const side = (side: 'agent' | 'ai-sdk', from: (typeof FROM)[number], earlier: number) => () => {
      const action = side === 'agent' ? 'turn' : 'stream'
      const job: Job = { side, action, home: work.freshFolder(), stream: { from, count, earlier } }
      return { jobs: [job] }
    }
    return {
      sides: Object.fromEntries(
        FROM.flatMap((from) => [
          [`ours-${from}`, side('agent', from, EARLIER)],
          [`theirs-${from}`, side('ai-sdk', from, EARLIER)],
          [`first-${from}`, side('agent', from, 0)],
          [`theirs-first-${from}`, side('ai-sdk', from, 0)],
        ]),
      ),
      expected: { deltas: count, text, logged: text },
      parts: (samples) =>
        FROM.map((from) => ({
          suffix: `-${from}`,
          ours: medianMs(samples[`ours-${from}`]!),
          theirs: medianMs(samples[`theirs-${from}`]!),
          unit: 'ms',
          bound: 'at most',
          target: 1.3,
          also: {
            firstMs: Number(medianMs(samples[`first-${from}`]!).toFixed(1)),
            theirFirstMs: Number(medianMs(samples[`theirs-first-${from}`]!).toFixed(1)),
          },
        })),
    }
  },
}
