import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Job } from '../child/job.ts'
import { helloProgram, treelineProgram } from '../inputs/programs.ts'
import { START_MS } from '../inputs/session-writer.ts'
import { writeShortSession } from '../inputs/short-session.ts'
import type { ProcessRow } from '../process-row.ts'
import { medianMs } from '../statistics.ts'

const SESSIONS = 2

export const tuiStart: ProcessRow = {
  id: 'tui-start',
  what: 'from starting `treeline` in a terminal to its prompt on the screen | a prompt and nothing else, by Ink',

  plan(work) {
    const cwd = work.input('tui-project', 0, (folder) => folder)
    const home = work.input('tui-home', 1_000_000, (folder) => {
      // As it is after the first `ls`: compiled code is kept beside the index.
      mkdirSync(join(folder, 'index'))
      for (let i = 0; i < SESSIONS; i++) writeShortSession(folder, cwd, i, START_MS + i)
      return folder
    })
    const helloHome = work.input('hello-home', 1_000_000, (folder) => folder)
    const ours: Job = { side: 'tui', action: 'start', home, terminal: { program: treelineProgram(work), cwd } }
    const hello: Job = {
      side: 'hello',
      action: 'start',
      home: helloHome,
      terminal: { program: helloProgram(work), cwd },
    }
    return {
      sides: {
        // The first ones leave compiled code, which all others find.
        ours: () => ({ before: ours, jobs: [ours] }),
        hello: () => ({ before: hello, jobs: [hello] }),
      },
      expected: { typed: 'q' },
      parts: ({ ours, hello }) => [
        { suffix: '', ours: medianMs(ours!), theirs: medianMs(hello!), unit: 'ms', bound: 'at most', target: 1.5 },
      ],
    }
  },
}
