import type { FanoutOptions, Job } from '../child/job.ts'
import { SCALE, scaled } from '../inputs/sessions.ts'
import type { ProcessRow, Samples } from '../process-row.ts'
import { medianFact } from '../statistics.ts'

const PER_SECOND = 50
const SECONDS = 8

export const fanout1000: ProcessRow = {
  id: 'fanout-1000',
  what: '1,000 followers of a session, 50 messages a second, synced | a bare `ws` server that sends the same (-p99); the memory after | before (-memory)',

  plan(work) {
    const events = SCALE < 1 ? PER_SECOND : PER_SECOND * SECONDS
    const fanout: FanoutOptions = { clients: scaled(1_000), events, perSecond: PER_SECOND }
    const side = (side: 'fanout' | 'fanout-ws') => () => {
      const job: Job = { side, action: 'fanout', home: work.freshFolder(), fanout, memory: true }
      return { jobs: [job] }
    }
    return {
      minRounds: 3,
      sides: { ours: side('fanout'), ws: side('fanout-ws') },
      expected: { delivered: fanout.clients * events },
      parts: ({ ours, ws }) => [
        {
          suffix: '-p99',
          ours: medianFact(ours!, 'p99Ms'),
          theirs: medianFact(ws!, 'p99Ms'),
          unit: 'ms',
          bound: 'at most',
          target: 1.5,
          also: {
            medianMs: fact(ours!, 'medianMs'),
            theirMedianMs: fact(ws!, 'medianMs'),
            maxMs: fact(ours!, 'maxMs'),
            theirMaxMs: fact(ws!, 'maxMs'),
          },
        },
        {
          suffix: '-memory',
          ours: medianFact(ours!, 'endMb'),
          theirs: medianFact(ours!, 'startMb'),
          unit: 'MB',
          bound: 'at most',
          target: 1.1,
          also: { wsStartMb: fact(ws!, 'startMb'), wsEndMb: fact(ws!, 'endMb') },
        },
      ],
    }
  },
}

function fact(measurements: Samples[string], name: string): number {
  return Number(medianFact(measurements, name).toFixed(2))
}
