import { sessions1k } from '../inputs/sessions.ts'
import type { ProcessRow, Turn } from '../process-row.ts'
import { medianMs } from '../statistics.ts'

/** Words that many nodes have, a piece of a word, and a script without spaces. */
const QUERIES = { words: 'session offset', substring: 'arentI', cjk: '日本語' } as const

export const searchWarm: ProcessRow = {
  id: 'search-warm',
  what: 'the newest 50 hits with snippets among 1,000 sessions × 200 entries, the index open (also: in a fresh process) | rg -i',

  plan(work) {
    const { oursHome, sessions } = sessions1k(work)
    const before = { side: 'ours', action: 'buildIndex', home: oursHome } as const
    const names = Object.keys(QUERIES) as (keyof typeof QUERIES)[]
    const ours = (query: string, action: 'search' | 'searchFirst'): Turn => ({
      before,
      jobs: [{ side: 'ours', action, home: oursHome, query }],
    })
    // rg knows no two words in any order: it looks for the rarer one.
    const theirs = (query: string): Turn => ({
      jobs: [{ side: 'rg', action: 'search', home: oursHome, query: query.split(' ').at(-1)! }],
    })
    return {
      warms: sessions.flatMap(({ ours }) => ours.path),
      sides: Object.fromEntries(
        names.flatMap((name) => [
          [`ours-${name}`, () => ours(QUERIES[name], 'search')],
          [`first-${name}`, () => ours(QUERIES[name], 'searchFirst')],
          [`rg-${name}`, () => theirs(QUERIES[name])],
        ]),
      ),
      expected: { hits: 50 },
      parts: (samples) =>
        names.map((name) => ({
          suffix: `-${name}`,
          ours: medianMs(samples[`ours-${name}`]!),
          theirs: medianMs(samples[`rg-${name}`]!),
          unit: 'ms',
          bound: 'at most',
          target: 1 / 10,
          also: { firstMs: Number(medianMs(samples[`first-${name}`]!).toFixed(1)) },
        })),
    }
  },
}
