import type { Job } from '../child/job.ts'
import { treelineProgram } from '../inputs/programs.ts'
import { chat100k, MARK } from '../inputs/sessions.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianFact } from '../statistics.ts'

export const tuiKey: ProcessRow = {
  id: 'tui-key',
  what: 'from a key to the letter on the screen, 100,000 entries open (p50) | an empty session open',

  plan(work) {
    const { ours, cwd } = chat100k(work)
    const program = treelineProgram(work)
    const job = { side: 'tui', action: 'key', home: ours.home } as const
    const long: Job = { ...job, terminal: { program, cwd, session: ours.path, word: MARK } }
    const empty: Job = { ...job, terminal: { program, cwd } }
    return {
      warms: [ours.path],
      sides: { long: () => ({ jobs: [long] }), empty: () => ({ jobs: [empty] }) },
      expected: { keys: 40 },
      parts: ({ long, empty }) => {
        const [ours, theirs] = [medianFact(long!, 'p50Ms'), medianFact(empty!, 'p50Ms')]
        return [{ suffix: '', ours, theirs, unit: 'ms', bound: 'at most', target: 1.5 }]
      },
    }
  },
}
