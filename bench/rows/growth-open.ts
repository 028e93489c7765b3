import { GROWTH_ENTRIES, sessionOfEntries } from '../inputs/sessions.ts'
import type { ProcessRow, Turn } from '../process-row.ts'
import { median } from '../statistics.ts'

export const growthOpen: ProcessRow = {
  id: 'growth-open',
  what: 'bytes read to open a log of 1,000 to 1,000,000 entries (-1k … -1m), columns saved | 45 for each entry',

  plan(work) {
    const sessions = GROWTH_ENTRIES.map((entries) => sessionOfEntries(work, entries))
    const turnOf =
      ({ ours, entries, leafId }: (typeof sessions)[number]) =>
      (): Turn => ({
        before: { side: 'ours', action: 'saveColumns', ...ours },
        jobs: [{ side: 'ours', action: 'openWarm', ...ours }],
        expected: { entries, leafId },
      })
    return {
      warms: sessions.map(({ ours }) => ours.path),
      sides: Object.fromEntries(sessions.map((session, i) => [SIZES[i]!, turnOf(session)])),
      expected: {},
      parts: (samples) =>
        sessions.map(({ entries }, i) => {
          const read = median(samples[SIZES[i]!]!.map(([sample]) => sample!.readBytes ?? Number.NaN))
          const suffix = `-${SIZES[i]}`
          return { suffix, ours: read / entries, theirs: 45, unit: 'bytes/entry', bound: 'at most', target: 1 }
        }),
    }
  },
}

const SIZES = ['1k', '10k', '100k', '1m']
