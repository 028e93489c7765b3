import { truncateSync } from 'node:fs'
import { GROWTH_ENTRIES, scaled, sessionOfEntries } from '../inputs/sessions.ts'
import type { ProcessRow, Turn } from '../process-row.ts'
import { medianMs } from '../statistics.ts'

export const growthAppend: ProcessRow = {
  id: 'growth-append',
  what: 'an append to a log of 10,000 (-10k), 100,000 (-100k) and 1,000,000 (-1m) entries | of 1,000; unsynced, one by one',

  plan(work) {
    const count = scaled(5_000)
    const sessions = GROWTH_ENTRIES.map((entries) => sessionOfEntries(work, entries))
    const turnOf =
      ({ ours }: (typeof sessions)[number]) =>
      (): Turn => ({
        before: { side: 'ours', action: 'saveColumns', ...ours },
        jobs: [{ side: 'ours', action: 'append', append: { mode: 'unsynced', inFlight: 1, count }, ...ours }],
      })
    const [small, ...larger] = sessions
    return {
      warms: sessions.map(({ ours }) => ours.path),
      sides: Object.fromEntries(sessions.map((session, i) => [SIZES[i]!, turnOf(session)])),
      expected: { appended: count },
      after() {
        for (const { ours, bytes } of [small!, ...larger]) truncateSync(ours.path, bytes)
      },
      parts: (samples) => {
        const [base, ...times] = SIZES.map((size) => (medianMs(samples[size]!) * 1_000) / count)
        const common = { theirs: base!, unit: 'µs/entry', bound: 'at most', target: FLAT } as const
        return times.map((ours, i) => ({ ...common, suffix: `-${SIZES[i + 1]}`, ours }))
      },
    }
  },
}

const SIZES = ['1k', '10k', '100k', '1m']
/** A thousand times the entries; what is more than noise is growth. */
const FLAT = 1.25
