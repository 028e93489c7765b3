import { factsOfSummaries } from '../child/summaries.ts'
import { sessions1k } from '../inputs/sessions.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianMs } from '../statistics.ts'

export const list1kWarm: ProcessRow = {
  id: 'list-1k-warm',
  what: "opening the index and listing all of 1,000 sessions × 200 entries | Pi's listAll",

  plan(work) {
    const { oursHome, piHome, sessions } = sessions1k(work)
    const before = { side: 'ours', action: 'buildIndex', home: oursHome } as const
    return {
      warms: sessions.flatMap(({ pi }) => pi!.path),
      sides: {
        ours: () => ({
          before,
          jobs: [{ side: 'ours', action: 'listIndexed', home: oursHome, limit: sessions.length }],
        }),
        pi: () => ({ jobs: [{ side: 'pi', action: 'list', home: piHome }] }),
      },
      expected: factsOfSummaries(sessions.map(({ summary }) => summary)),
      parts: ({ ours, pi }) => [
        { suffix: '', ours: medianMs(ours!), theirs: medianMs(pi!), unit: 'ms', bound: 'at most', target: 1 / 100 },
      ],
    }
  },
}
