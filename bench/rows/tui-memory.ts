import type { Job, TerminalOptions } from '../child/job.ts'
import { piProgram, treelineProgram } from '../inputs/programs.ts'
import { chat100k, MARK } from '../inputs/sessions.ts'
import type { ProcessRow, Samples } from '../process-row.ts'
import { medianFact } from '../statistics.ts'

export const tuiMemory: ProcessRow = {
  id: 'tui-memory',
  what: "resident memory of the chat with 100,000 entries open minus with an empty session | of Pi's",

  plan(work) {
    const { ours, pi, cwd } = chat100k(work)
    const side = (side: 'tui' | 'pi-tui', home: string, terminal: TerminalOptions) => () => {
      const job: Job = { side, action: 'memory', home, terminal }
      return { jobs: [job], expected: { word: terminal.word ?? '' } }
    }
    const [treeline, theirs] = [
      { program: treelineProgram(work), cwd },
      { program: piProgram(), cwd },
    ]
    return {
      warms: [ours.path, pi!.path],
      sides: {
        ours: side('tui', ours.home, { ...treeline, session: ours.path, word: MARK }),
        oursEmpty: side('tui', ours.home, treeline),
        pi: side('pi-tui', pi!.home, { ...theirs, session: pi!.path, word: MARK }),
        piEmpty: side('pi-tui', pi!.home, theirs),
      },
      expected: {},
      parts: ({ ours, oursEmpty, pi, piEmpty }) => [
        {
          suffix: '',
          ours: addedMb(ours!, oursEmpty!, 'rssBytes'),
          theirs: addedMb(pi!, piEmpty!, 'rssBytes'),
          unit: 'MB',
          bound: 'at most',
          target: 1 / 4,
          also: {
            oursPeakMb: round(addedMb(ours!, oursEmpty!, 'peakBytes')),
            theirsPeakMb: round(addedMb(pi!, piEmpty!, 'peakBytes')),
            emptyMb: round(medianFact(oursEmpty!, 'rssBytes') / 1e6),
            theirEmptyMb: round(medianFact(piEmpty!, 'rssBytes') / 1e6),
          },
        },
      ],
    }
  },
}

function addedMb(open: Samples[string], empty: Samples[string], fact: string): number {
  return (medianFact(open, fact) - medianFact(empty, fact)) / 1e6
}

function round(value: number): number {
  return Number(value.toFixed(1))
}
