import type { Job } from '../child/job.ts'
import { treelineProgram } from '../inputs/programs.ts'
import { chat100k, MARK } from '../inputs/sessions.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianFact } from '../statistics.ts'

export const tuiTreeSearch: ProcessRow = {
  id: 'tui-tree-search',
  what: "a key in the search of /tree, 100,000 entries, until the terminal shows it (p50) | Pi's tree selector, without a terminal",

  plan(work) {
    const { marked, ours, pi, cwd } = chat100k(work)
    const terminal = { program: treelineProgram(work), cwd, session: ours.path, word: MARK }
    const job: Job = { side: 'tui', action: 'search', home: ours.home, query: MARK, terminal }
    return {
      warms: [ours.path, pi!.path],
      sides: {
        ours: () => ({ jobs: [job] }),
        pi: () => ({ jobs: [{ side: 'pi', action: 'search', query: MARK, ...pi! }] }),
      },
      minRounds: 3,
      expected: { hits: marked },
      parts: ({ ours, pi }) => [
        {
          suffix: '',
          ours: medianFact(ours!, 'p50Ms'),
          theirs: medianFact(pi!, 'p50Ms'),
          unit: 'ms',
          bound: 'at most',
          target: 1 / 10,
          also: {
            slowestMs: round(medianFact(ours!, 'slowestMs')),
            theirSlowestMs: round(medianFact(pi!, 'slowestMs')),
            whileReadingMs: round(medianFact(ours!, 'readingMs')),
            readMs: round(medianFact(ours!, 'readMs')),
            theirOpenMs: round(medianFact(pi!, 'openMs')),
          },
        },
      ],
    }
  },
}

function round(value: number): number {
  return Number(value.toFixed(1))
}
