import { session100k } from '../inputs/sessions.ts'
import type { Part, ProcessRow, Samples } from '../process-row.ts'
import { medianMemoryMb, medianPeakMb } from '../statistics.ts'

export const open100kMemory: ProcessRow = {
  id: 'open-100k-memory',
  what: 'memory added by opening 100,000 entries (150 MB), columns saved (-warm) and not (-cold) | by Pi',

  plan(work) {
    const { entries, leafId, ours, pi } = session100k(work)
    return {
      warms: [ours.path, pi!.path],
      sides: {
        warm: () => ({
          before: { side: 'ours', action: 'saveColumns', ...ours },
          jobs: [{ side: 'ours', action: 'openWarm', memory: true, ...ours }],
        }),
        cold: () => ({ jobs: [{ side: 'ours', action: 'openCold', memory: true, ...ours }] }),
        pi: () => ({ jobs: [{ side: 'pi', action: 'open', memory: true, ...pi! }] }),
      },
      expected: { entries, leafId },
      parts: ({ warm, cold, pi }) => [compare('-warm', warm!, pi!), compare('-cold', cold!, pi!)],
    }
  },
}

function compare(suffix: string, ours: Samples[string], theirs: Samples[string]): Part {
  const also = { oursPeakMb: medianPeakMb(ours), theirsPeakMb: medianPeakMb(theirs) }
  const [oursMb, theirsMb] = [medianMemoryMb(ours), medianMemoryMb(theirs)]
  return { suffix, ours: oursMb, theirs: theirsMb, unit: 'MB', bound: 'at most', target: 1 / 12, also }
}
