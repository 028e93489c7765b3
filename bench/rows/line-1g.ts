import { session1g } from '../inputs/sessions.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianMs } from '../statistics.ts'

export const line1g: ProcessRow = {
  id: 'line-1g',
  what: 'open 1 GiB, columns saved, and build the line, a compaction on its path | read the file once',

  plan(work) {
    const { leafId, bytes, lineMessages, ours } = session1g(work)
    return {
      warms: [ours.path],
      sides: {
        ours: () => ({
          before: { side: 'ours', action: 'saveColumns', ...ours },
          jobs: [{ side: 'ours', action: 'firstLine', ...ours }],
        }),
        read: () => ({ jobs: [{ side: 'bare', action: 'read', ...ours }] }),
      },
      expected: { leafId, bytes, lineMessages },
      parts: ({ ours, read }) => [
        { suffix: '', ours: medianMs(ours!), theirs: medianMs(read!), unit: 'ms', bound: 'at most', target: 1 / 3 },
      ],
    }
  },
}
