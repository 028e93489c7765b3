import { session100k } from '../inputs/sessions.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianMs } from '../statistics.ts'

export const open100kWarm: ProcessRow = {
  id: 'open-100k-warm',
  what: "open 100,000 entries (150 MB), columns saved | Pi's SessionManager.open",

  plan(work) {
    const { entries, leafId, ours, pi } = session100k(work)
    return {
      warms: [ours.path, pi!.path],
      sides: {
        ours: () => ({
          before: { side: 'ours', action: 'saveColumns', ...ours },
          jobs: [{ side: 'ours', action: 'openWarm', ...ours }],
        }),
        pi: () => ({ jobs: [{ side: 'pi', action: 'open', ...pi! }] }),
      },
      expected: { entries, leafId },
      parts: ({ ours, pi }) => [
        { suffix: '', ours: medianMs(ours!), theirs: medianMs(pi!), unit: 'ms', bound: 'at most', target: 1 / 100 },
      ],
    }
  },
}
