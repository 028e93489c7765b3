import { session100k } from '../inputs/sessions.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianMs } from '../statistics.ts'

export const open100kCold: ProcessRow = {
  id: 'open-100k-cold',
  what: "open 100,000 entries (150 MB), nothing saved | Pi's SessionManager.open",

  plan(work) {
    const { entries, leafId, ours, pi } = session100k(work)
    return {
      warms: [ours.path, pi!.path],
      sides: {
        ours: () => ({ jobs: [{ side: 'ours', action: 'openCold', ...ours }] }),
        pi: () => ({ jobs: [{ side: 'pi', action: 'open', ...pi! }] }),
      },
      expected: { entries, leafId },
      parts: ({ ours, pi }) => [
        { suffix: '', ours: medianMs(ours!), theirs: medianMs(pi!), unit: 'ms', bound: 'at most', target: 1 / 8 },
      ],
    }
  },
}
