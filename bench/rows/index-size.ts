import { sessions1k } from '../inputs/sessions.ts'
import type { ProcessRow } from '../process-row.ts'

export const indexSize: ProcessRow = {
  id: 'index-size',
  what: 'the index and the saved columns of 1,000 sessions × 200 entries | the text that was indexed',

  plan(work) {
    const { oursHome, sessions } = sessions1k(work)
    const before = { side: 'ours', action: 'buildIndex', home: oursHome } as const
    return {
      sides: { ours: () => ({ before, jobs: [{ side: 'ours', action: 'indexSize', home: oursHome }] }) },
      expected: { sessions: sessions.length },
      parts: ({ ours }) => {
        const { indexBytes, textBytes } = ours![0]![0]!.facts
        const [used, text] = [Number(indexBytes) / 1e6, Number(textBytes) / 1e6]
        return [{ suffix: '', ours: used, theirs: text, unit: 'MB', bound: 'at most', target: 1.5 }]
      },
    }
  },
}
