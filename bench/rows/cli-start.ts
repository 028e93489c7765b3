import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { treelineProgram } from '../inputs/programs.ts'
import { writeSession } from '../inputs/write-session.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianMs } from '../statistics.ts'

const FACTOR = 1.5
const EXTRA_MS = 60

export const cliStart: ProcessRow = {
  id: 'cli-start',
  what: '`treeline tree FILE`, 100 entries, the whole process | 1.5 × `node -e 0` + 60 ms',

  plan(work) {
    const home = work.input('cli-start', 1_000_000, (folder) => {
      // A home as it is after the first `ls`: compiled code is kept beside the index.
      mkdirSync(join(folder, 'index'))
      return folder
    })
    const session = work.input('cli-session', 1_000_000, (folder) =>
      writeSession({
        oursHome: folder,
        seed: 55,
        maxEntries: 100,
        branching: 0.024,
        branchAt: 'recent',
        textScale: 0.65,
      }),
    )
    const path = treelineProgram(work)
    return {
      sides: {
        ours: () => ({ jobs: [{ side: 'cli', action: 'tree', home, path, query: session.ours.path }] }),
        bare: () => ({ jobs: [{ side: 'bare', action: 'startNode', home }] }),
      },
      expected: { status: 0 },
      parts: ({ ours, bare }) => [
        {
          suffix: '',
          ours: medianMs(ours!),
          theirs: FACTOR * medianMs(bare!) + EXTRA_MS,
          unit: 'ms',
          bound: 'at most',
          target: 1,
          also: { bareStartMs: Number(medianMs(bare!).toFixed(1)) },
        },
      ],
    }
  },
}
