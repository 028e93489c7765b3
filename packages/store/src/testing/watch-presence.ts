// Run by the presence tests: looks who is there, and cleans up after the dead, without a pause until it is killed.
import { writeSync } from 'node:fs'
import { homePaths } from '../paths.ts'
import { createFilePresence } from '../presence/file-presence.ts'

const presence = createFilePresence(homePaths(process.argv[2]!))
writeSync(1, 'looking\n')
for (;;) presence.openLogs()
