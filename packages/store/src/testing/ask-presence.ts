// Run by the presence tests: says whether the process behind a token lives, and ends.
import { writeSync } from 'node:fs'
import { homePaths } from '../paths.ts'
import { createFilePresence } from '../presence/file-presence.ts'

const [home, token] = process.argv.slice(2) as [string, string]
writeSync(1, `${createFilePresence(homePaths(home)).isAlive(token)}\n`)
