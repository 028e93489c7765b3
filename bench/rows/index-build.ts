import type { AppendOptions } from '../child/job.ts'
import { scaled, sessions1k } from '../inputs/sessions.ts'
import type { ProcessRow } from '../process-row.ts'
import { median } from '../statistics.ts'

export const indexBuild: ProcessRow = {
  id: 'index-build',
  what: 'p99 of synced appends, one by one, while the index of 1,000 sessions is built behind them | without that',

  plan(work) {
    const { oursHome } = sessions1k(work)
    const append: AppendOptions = { mode: 'synced', inFlight: 1, count: scaled(2_000) }
    const p99 = (samples: readonly (readonly { readonly facts: Readonly<Record<string, unknown>> }[])[]): number =>
      median(samples.map(([sample]) => Number(sample!.facts.p99Ms)))
    return {
      sides: {
        building: () => ({
          jobs: [{ side: 'ours', action: 'appendWhileIndexing', home: work.freshFolder(), path: oursHome, append }],
          expected: { isStillBuilding: 1 },
        }),
        alone: () => ({ jobs: [{ side: 'ours', action: 'append', home: work.freshFolder(), append }] }),
      },
      expected: { appended: append.count },
      parts: ({ building, alone }) => [
        { suffix: '', ours: p99(building!), theirs: p99(alone!), unit: 'ms', bound: 'at most', target: 2 },
      ],
    }
  },
}
