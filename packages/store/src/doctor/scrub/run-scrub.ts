// Run by the kill test as a process of its own: scrubs a home and stops before its n-th change to the disk until it is killed.
import { writeSync } from 'node:fs'
import { openHome } from '../../home.ts'
import { createFileStorage } from '../../storage/file-storage.ts'
import { applyScrub } from './apply-scrub.ts'
import { planScrub } from './scrub-plan.ts'

const [folder, secret, stopAt] = process.argv.slice(2) as [string, string, string]
const storage = createFileStorage()
let count = 0
const step = (): void => {
  if (++count !== Number(stopAt)) return
  writeSync(1, 'here\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
const stopping = <A extends readonly unknown[], R>(work: (...args: A) => R) => {
  return (...args: A): R => {
    step()
    return work(...args)
  }
}
const { rename, renameSync, unlink, writeText, openWriter, syncDir } = storage
const home = openHome({
  home: folder,
  storage: {
    ...storage,
    rename: stopping(rename),
    renameSync: stopping(renameSync),
    unlink: stopping(unlink),
    writeText: stopping(writeText),
    openWriter: stopping(openWriter),
    syncDir: stopping(syncDir),
  },
})
await applyScrub(home, await planScrub(home, secret), { confirm: true })
writeSync(1, `done ${count}\n`)
