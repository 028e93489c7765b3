import { session10kDeep } from '../inputs/sessions.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianMs } from '../statistics.ts'

export const fork10k: ProcessRow = {
  id: 'fork-10k',
  what: "fork a path of 10,000 entries of an open session, synced | Pi's createBranchedSession, unsynced",

  plan(work) {
    const { pathMessages, pathBytes: bytes, ours, pi } = session10kDeep(work)
    return {
      warms: [ours.path, pi!.path],
      // Some 20 ms of a program that has just started: single ones are half as long again.
      minRounds: 15,
      sides: {
        ours: () => ({ jobs: [{ side: 'ours', action: 'fork', ...ours }] }),
        pi: () => ({ jobs: [{ side: 'pi', action: 'fork', path: pi!.path, home: work.freshFolder() }] }),
        copy: () => ({ jobs: [{ side: 'bare', action: 'copy', path: ours.path, bytes, home: work.freshFolder() }] }),
      },
      expected: { messages: pathMessages, isWritten: 1 },
      parts: ({ ours, pi, copy }) => {
        const copyMs = medianMs(copy!)
        const floorRatio = Number((copyMs / medianMs(pi!)).toFixed(3))
        const also = { copyMs: Number(copyMs.toFixed(1)), floorRatio }
        return [
          {
            suffix: '',
            ours: medianMs(ours!),
            theirs: medianMs(pi!),
            unit: 'ms',
            bound: 'at most',
            target: 1 / 5,
            also,
          },
        ]
      },
    }
  },
}
