// Run by the lock tests: adds one to a number in a file, so many times, with nothing but the lock to protect it.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createFileLocks } from '../locks/file-locks.ts'
import { homePaths } from '../paths.ts'

const [home, sessionId, counter, rounds] = process.argv.slice(2) as [string, string, string, string]
const locks = createFileLocks({ paths: homePaths(home) })
for (let i = 0; i < Number(rounds); i++) {
  await locks.run(sessionId, () => {
    const count = Number(readFileSync(counter, 'utf8'))
    writeFileSync(counter, String(count + 1))
    appendFileSync(`${counter}.order`, `${process.pid}\n`)
  })
}
locks.close()
