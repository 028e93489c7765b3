// Run by the kill tests as a process of its own: makes or restores a backup and stops in the middle until it is killed.
import { writeSync } from 'node:fs'
import { createBackup } from '../backup/backup.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { openHome } from '../home.ts'

const [what, home, folder, stopAt] = process.argv.slice(2) as [string, string, string, string]
let count = 0
const onProgress = (): void => {
  if (++count < Number(stopAt)) return
  writeSync(1, 'here\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
const opened = openHome({ home })
if (what === 'backup') await createBackup(opened, folder, { onProgress })
else await restoreBackup(folder, opened, { onProgress })
