import { session1g } from '../inputs/sessions.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianMemoryMb, medianMs, medianPeakMb } from '../statistics.ts'

const MEMORY_LIMIT_MB = 64

export const open1gWarm: ProcessRow = {
  id: 'open-1g-warm',
  what: `open 1 GiB, columns saved | read the file once (-time), ${MEMORY_LIMIT_MB} MB (-memory)`,

  plan(work) {
    const { entries, leafId, bytes, ours } = session1g(work)
    const before = { side: 'ours', action: 'saveColumns', ...ours } as const
    const open = { side: 'ours', action: 'openWarm', ...ours } as const
    return {
      warms: [ours.path],
      sides: {
        time: () => ({ before, jobs: [open] }),
        read: () => ({ jobs: [{ side: 'bare', action: 'read', ...ours }] }),
        memory: () => ({ before, jobs: [{ ...open, memory: true }] }),
      },
      expected: { entries, leafId, bytes },
      parts: ({ time, read, memory }) => [
        {
          suffix: '-time',
          ours: medianMs(time!),
          theirs: medianMs(read!),
          unit: 'ms',
          bound: 'at most',
          target: 1 / 5,
        },
        {
          suffix: '-memory',
          ours: medianMemoryMb(memory!),
          theirs: MEMORY_LIMIT_MB,
          unit: 'MB',
          bound: 'at most',
          target: 1,
          also: { oursPeakMb: medianPeakMb(memory!) },
        },
      ],
    }
  },
}
