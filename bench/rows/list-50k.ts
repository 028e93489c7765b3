import { sessions1k, sessions50k } from '../inputs/sessions.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianMs } from '../statistics.ts'

const PAGE = 50

export const list50k: ProcessRow = {
  id: 'list-50k',
  what: "opening the index of 50,000 sessions and listing the first page | Pi's listAll of 1,000",

  plan(work) {
    const { home } = sessions50k(work)
    const { piHome, sessions } = sessions1k(work)
    const before = { side: 'ours', action: 'buildIndex', home } as const
    return {
      warms: sessions.flatMap(({ pi }) => pi!.path),
      sides: {
        ours: () => ({
          before,
          jobs: [{ side: 'ours', action: 'listIndexed', home, limit: PAGE }],
          expected: { sessions: PAGE },
        }),
        pi: () => ({ jobs: [{ side: 'pi', action: 'list', home: piHome }], expected: { sessions: sessions.length } }),
      },
      expected: {},
      parts: ({ ours, pi }) => [
        { suffix: '', ours: medianMs(ours!), theirs: medianMs(pi!), unit: 'ms', bound: 'at most', target: 1 / 100 },
      ],
    }
  },
}
