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
        floorMany: () => ({ jobs: [{ side: 'bare', action: 'appendFloor', home: home(), append: append(64) }] }),
        floorOne: () => ({
          jobs: [{ side: 'bare', action: 'appendFloor', home: home(), append: append(1), locked: true }],
        }),
      },
      expected: { appended: count },
      parts: ({ many, one, pi, floorMany, floorOne }) => {
        const theirs = medianRate(pi!, count)
        const common = { theirs, unit: 'entries/s', bound: 'at least' } as const
        const also = (floor: typeof many) => ({ floorRatio: Number((medianRate(floor!, count) / theirs).toFixed(3)) })
        return [
          { ...common, suffix: '-64', ours: medianRate(many!, count), target: 2, also: also(floorMany) },
          { ...common, suffix: '-1', ours: medianRate(one!, count), target: 0.7, also: also(floorOne) },
        ]
      },
    }
  },
}
