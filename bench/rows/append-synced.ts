import type { AppendOptions } from '../child/job.ts'
import { scaled } from '../inputs/sessions.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianRate } from '../statistics.ts'

export const appendSynced: ProcessRow = {
  id: 'append-synced',
  what: 'append, synced, 64 in flight | write and fdatasync of 64 encoded lines at a time, in a bare loop',

  plan(work) {
    const count = scaled(64 * 200)
    const append: AppendOptions = { mode: 'synced', inFlight: 64, count }
    return {
      sides: {
        ours: () => ({ jobs: [{ side: 'ours', action: 'append', home: work.freshFolder(), append }] }),
        bare: () => ({ jobs: [{ side: 'bare', action: 'append', home: work.freshFolder(), append }] }),
        floor: () => ({ jobs: [{ side: 'bare', action: 'appendFloor', home: work.freshFolder(), append }] }),
      },
      expected: { appended: count },
      parts: ({ ours, bare, floor }) => {
        const [oursRate, bareRate] = [medianRate(ours!, count), medianRate(bare!, count)]
        const also = { floorRatio: Number((medianRate(floor!, count) / bareRate).toFixed(3)) }
        return [
          { suffix: '', ours: oursRate, theirs: bareRate, unit: 'entries/s', bound: 'at least', target: 0.8, also },
        ]
      },
    }
  },
}
