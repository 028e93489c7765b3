import type { AppendOptions, Sample } from '../child/job.ts'
import { scaled } from '../inputs/sessions.ts'
import { writeSession } from '../inputs/write-session.ts'
import type { ProcessRow, Turn } from '../process-row.ts'
import { median, medianRate } from '../statistics.ts'

const PROCESSES = 4

export const append4Processes: ProcessRow = {
  id: 'append-4-processes',
  what: 'four processes append to one log, synced, 64 in flight each | one process (-total); the slowest | the fastest (-fair)',

  plan(work) {
    // Half a second for one process: in less, four of them do little but compile the same code on two cores.
    const count = scaled(64 * 400)
    const append: AppendOptions = { mode: 'synced', inFlight: 64, count }
    const turnOf = (processes: number): Turn => {
      const shape = { seed: 4, maxEntries: 20, branching: 0, textScale: 0.65 }
      const { ours } = writeSession({ ...shape, oursHome: work.freshFolder() })
      return { jobs: Array.from({ length: processes }, () => ({ side: 'ours', action: 'append', append, ...ours })) }
    }
    return {
      sides: { four: () => turnOf(PROCESSES), one: () => turnOf(1) },
      expected: { appended: count },
      parts: ({ four, one }) => {
        const rates = four!.map((samples) => samples.map(({ ms }) => (count * 1_000) / ms))
        const slowest = median(rates.map((ofRun) => Math.min(...ofRun)))
        const fastest = median(rates.map((ofRun) => Math.max(...ofRun)))
        const [total, single] = [medianRate(four!, count), medianRate(one!, count)]
        const also = { p99Ms: medianP99(four!), p99OfOneMs: medianP99(one!) }
        const common = { unit: 'entries/s', bound: 'at least', also } as const
        return [
          { ...common, suffix: '-total', ours: total, theirs: single, target: 0.8 },
          { ...common, suffix: '-fair', ours: slowest, theirs: fastest, target: 0.5 },
        ]
      },
    }
  },
}

/** Of the process that waited longest. */
function medianP99(measurements: readonly (readonly Sample[])[]): number {
  const p99s = measurements.map((samples) => Math.max(...samples.map(({ facts }) => Number(facts.p99Ms))))
  return Number(median(p99s).toFixed(2))
}
