// Run by the presence tests: says of a log that it is open here, tells its token, and lives until it is killed.
import { writeSync } from 'node:fs'
import { homePaths } from '../paths.ts'
import { createFilePresence } from '../presence/file-presence.ts'

const [home, path] = process.argv.slice(2) as [string, string]
const presence = createFilePresence(homePaths(home))
presence.enter(path)
writeSync(1, `${presence.problem ?? presence.token}\n`)
setInterval(() => {}, 1_000_000)
