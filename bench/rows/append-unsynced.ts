import type { AppendOptions } from '../child/job.ts'
import { scaled } from '../inputs/sessions.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianRate } from '../statistics.ts'

export const appendUnsynced: ProcessRow = {
  id: 'append-unsynced',
  what: "append without sync, 64 in flight (-64) and one by one (-1) | Pi's appendMessage, which never syncs",

  plan(work) {
    const count = scaled(20_000)
    const append = (inFlight: number): AppendOptions => ({ mode: 'unsynced', inFlight, count })
    const home = (): string => work.freshFolder()
    return {
      sides: {
        many: () => ({ jobs: [{ side: 'ours', action: 'append', home: home(), append: append(64) }] }),
        pi: () => ({ jobs: [{ side: 'pi', action: 'append', home: home(), append: append(1) }] }),
        one: () => ({ jobs: [{ side: 'ours', action: 'append', home: home(), append: append(1) }] }),
        bareMany: () => ({ jobs: [{ side: 'bare', action: 'appendEncoding', home: home(), append: append(50) }] }),
        bareOne: () => ({ jobs: [{ side: 'bare', action: 'appendEncoding', home: home(), append: append(1) }] }),
      },
      expected: { appended: count },
      parts: ({ many, one, pi, bareMany, bareOne }) => {
        const theirs = medianRate(pi!, count)
        const common = { theirs, unit: 'entries/s', bound: 'at least' } as const
        const bare = (samples: typeof many) => ({ bareEncoding: Math.round(medianRate(samples!, count)) })
        return [
          { ...common, suffix: '-64', ours: medianRate(many!, count), target: 2, also: bare(bareMany) },
          { ...common, suffix: '-1', ours: medianRate(one!, count), target: 0.7, also: bare(bareOne) },
        ]
      },
    }
  },
}
