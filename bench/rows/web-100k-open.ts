import type { Job } from '../child/job.ts'
import { treelineProgram } from '../inputs/programs.ts'
import { scaled, sessionOfEntries } from '../inputs/sessions.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianFact } from '../statistics.ts'

export const web100kOpen: ProcessRow = {
  id: 'web-100k-open',
  what: 'from going to the page to the first picture of a tree of 100,000 nodes | of 1,000 nodes + the extra transfer',

  plan(work) {
    const [large, small] = [100_000, 1_000].map((count) => sessionOfEntries(work, scaled(count)))
    const web = { program: treelineProgram(work) }
    const turn = ({ ours, summary }: typeof large & {}) => {
      const job: Job = { side: 'page/web', action: 'open', home: ours.home, sessionId: summary.id, web }
      return () => ({ jobs: [job], expected: { nodes: summary.messageCount } })
    }
    return {
      warms: [large!.ours.path, small!.ours.path],
      minRounds: 3,
      sides: { large: turn(large!), small: turn(small!) },
      expected: {},
      parts: ({ large, small }) => {
        const fact = (name: string) => [medianFact(large!, name), medianFact(small!, name)] as const
        const [ours, smallMs] = fact('pictureMs')
        const [fetchMs, smallFetchMs] = fact('fetchMs')
        const theirs = smallMs + Math.max(0, fetchMs - smallFetchMs)
        const also = {
          smallMs: Math.round(smallMs),
          transferMs: Math.round(fetchMs),
          mb: round(fact('bytes')[0] / 1e6),
        }
        return [{ suffix: '', ours, theirs, unit: 'ms', bound: 'at most', target: 1.5, also }]
      },
    }
  },
}

function round(value: number): number {
  return Number(value.toFixed(2))
}
