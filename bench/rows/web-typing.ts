import type { Job } from '../child/job.ts'
import { treelineProgram } from '../inputs/programs.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianFact } from '../statistics.ts'

const STREAMS = 5

export const webTyping: ProcessRow = {
  id: 'web-typing',
  what: 'from a key in the chat to the frame that shows it (p50), five answers being written, one of them on screen | none being written',

  plan(work) {
    const program = treelineProgram(work)
    const turn = (streams: number) => () => {
      const job: Job = { side: 'page/web', action: 'typing', home: work.freshFolder(), web: { program, streams } }
      return { jobs: [job], expected: { running: streams } }
    }
    return {
      minRounds: 3,
      sides: { busy: turn(STREAMS), idle: turn(0) },
      expected: { keys: 40 },
      parts: ({ busy, idle }) => {
        const [ours, theirs] = [medianFact(busy!, 'p50Ms'), medianFact(idle!, 'p50Ms')]
        const also = { p95Ms: round(medianFact(busy!, 'p95Ms')), idleP95Ms: round(medianFact(idle!, 'p95Ms')) }
        return [{ suffix: '', ours, theirs, unit: 'ms', bound: 'at most', target: 1.5, also }]
      },
    }
  },
}

function round(ms: number): number {
  return Number(ms.toFixed(2))
}
