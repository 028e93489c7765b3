import type { Job } from '../child/job.ts'
import { scaled } from '../inputs/sessions.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianFact } from '../statistics.ts'

export const muteHttp: ProcessRow = {
  id: 'mute-http',
  what: 'muting a node over HTTP, synced | one synced append by the store in the process + one empty authenticated request',

  plan(work) {
    const count = scaled(2_000)
    return {
      sides: {
        ours: () => {
          const append = { mode: 'synced', inFlight: 1, count } as const
          const job: Job = { side: 'server', action: 'mute', home: work.freshFolder(), append }
          return { jobs: [job] }
        },
      },
      expected: { muted: count, appended: count },
      parts: ({ ours }) => {
        const [putMs, appendMs, emptyMs] = ['putMs', 'appendMs', 'emptyMs'].map((name) => medianFact(ours!, name))
        const also = { appendMs: round(appendMs!), emptyMs: round(emptyMs!) }
        const common = { suffix: '', unit: 'ms', bound: 'at most', target: 1.2, also } as const
        return [{ ...common, ours: putMs!, theirs: appendMs! + emptyMs! }]
      },
    }
  },
}

function round(ms: number): number {
  return Number(ms.toFixed(3))
}
