import type { Job } from '../child/job.ts'
import { type PromptMode, prompts100k } from '../inputs/prompts.ts'
import type { Part, ProcessRow, Samples, Turn } from '../process-row.ts'
import { medianMs } from '../statistics.ts'

const MODES: readonly PromptMode[] = ['prefix', 'substring']
const WAYS = ['ours', 'iterate', 'like'] as const

export const historySearch: ProcessRow = {
  id: 'history-search',
  what: 'four searches by prefix and four by substring over 100,000 prompts | reading and comparing each, in JavaScript or by LIKE, whichever is faster',

  plan(work) {
    const { home, path, found } = prompts100k(work)
    const turnOf = (way: (typeof WAYS)[number], prompts: PromptMode): Turn => {
      const job = { home, path, prompts }
      const expected = { found: found[prompts] }
      if (way === 'ours') {
        const before: Job = { ...job, side: 'ours', action: 'indexPrompts' }
        return { before, jobs: [{ ...job, side: 'ours', action: 'searchPrompts' }], expected }
      }
      return { jobs: [{ ...job, side: 'bare', action: way === 'like' ? 'likePrompts' : 'iteratePrompts' }], expected }
    }
    return {
      sides: Object.fromEntries(
        MODES.flatMap((mode) => WAYS.map((way) => [`${way}-${mode}`, () => turnOf(way, mode)] as const)),
      ),
      expected: {},
      parts: (samples) => MODES.map((mode) => partOf(samples, mode)),
    }
  },
}

function partOf(samples: Samples, mode: PromptMode): Part {
  const [ours, iterate, like] = WAYS.map((way) => medianMs(samples[`${way}-${mode}`]!)) as [number, number, number]
  const also = { iterate: Number(iterate.toFixed(1)), like: Number(like.toFixed(1)) }
  return {
    suffix: `-${mode}`,
    ours,
    theirs: Math.min(iterate, like),
    unit: 'ms',
    bound: 'at most',
    target: 1 / 10,
    also,
  }
}
