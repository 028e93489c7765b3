import { join } from 'node:path'
import { sessions1k } from '../inputs/sessions.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianMs } from '../statistics.ts'

const PAGE = 50

export const ls1kForeign: ProcessRow = {
  id: 'ls-1k-foreign',
  what: "the first page of `treeline ls --all` over 1,000 sessions in Pi's folder, indexed | reading the files once",

  plan(work) {
    const { piHome, sessions } = sessions1k(work)
    const home = work.input('ls-1k-home', 0, (folder) => folder)
    const job = { side: 'cli', action: 'ls', home: piHome, path: home } as const
    return {
      warms: sessions.map(({ pi }) => pi!.path),
      sides: {
        // The first builds the index, all others find it.
        ours: () => ({ before: job, jobs: [job] }),
        bare: () => ({ jobs: [{ side: 'bare', action: 'readAll', home: join(piHome, 'sessions') }] }),
      },
      expected: { listed: Math.min(PAGE, sessions.length), files: sessions.length },
      parts: ({ ours, bare }) => [
        { suffix: '', ours: medianMs(ours!), theirs: medianMs(bare!), unit: 'ms', bound: 'at most', target: 1 / 20 },
      ],
    }
  },
}
