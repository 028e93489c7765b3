// Run by the tests as a process of its own: adds prompts, then ends in the way it is told.
import { writeSync } from 'node:fs'
import { openHome } from '../home.ts'
import { openPromptHistory } from '../prompt-history/prompt-history.ts'

const [home, name, count, ending] = process.argv.slice(2) as [string, string, string, string]
const history = openPromptHistory({ home: openHome({ home }) })
const add = (n: number): void => history.add(`${name} ${n}`, '/work')

switch (ending) {
  case 'close':
    for (let n = 0; n < Number(count); n++) {
      add(n)
      // Some batches of one, some of several, some of none, between those of the others.
      if (n % 7 === 0) await history.flush()
    }
    await history.close()
    writeSync(1, JSON.stringify({ lost: history.lostCount, pending: history.pendingCount }))
    break
  case 'exit':
    for (let n = 0; n < Number(count); n++) add(n)
    process.exit(0)
    break
  case 'signal':
    process.once('SIGTERM', () => process.exit(0))
    for (let n = 0; n < Number(count); n++) add(n)
    process.kill(process.pid, 'SIGTERM')
    setInterval(() => {}, 1_000)
    break
  default:
    for (let n = 0; n < Number(count); n++) add(n)
}
