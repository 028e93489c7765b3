import { factsOfSummaries } from '../child/summaries.ts'
import { sessions1k } from '../inputs/sessions.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianMs } from '../statistics.ts'

export const listCold1k: ProcessRow = {
  id: 'list-cold-1k',
  what: "header, first prompt, last activity and counts of 1,000 sessions × 200 entries, from files alone | Pi's listAll",

  plan(work) {
    const { oursHome, piHome, sessions } = sessions1k(work)
    return {
      warms: sessions.flatMap(({ ours, pi }) => [ours.path, pi!.path]),
      sides: {
        ours: () => ({ jobs: [{ side: 'ours', action: 'list', home: oursHome }] }),
        pi: () => ({ jobs: [{ side: 'pi', action: 'list', home: piHome }] }),
      },
      expected: factsOfSummaries(sessions.map(({ summary }) => summary)),
      parts: ({ ours, pi }) => [
        { suffix: '', ours: medianMs(ours!), theirs: medianMs(pi!), unit: 'ms', bound: 'at most', target: 1 / 15 },
      ],
    }
  },
}
