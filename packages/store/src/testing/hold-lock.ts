// Run by the lock tests: takes a session's lock, says so, and keeps it until it is killed.
import { writeSync } from 'node:fs'
import { createFileLocks } from '../locks/file-locks.ts'
import { homePaths } from '../paths.ts'

const [home, sessionId] = process.argv.slice(2) as [string, string]
await createFileLocks({ paths: homePaths(home) }).run(sessionId, () => {
  writeSync(1, 'held\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
