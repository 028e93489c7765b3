import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Runs `run-backup.ts` up to its n-th file and kills it there, with -9. */
export async function killRun(what: 'backup' | 'restore', home: string, folder: string, stopAt: number): Promise<void> {
  const file = fileURLToPath(new URL('./run-backup.ts', import.meta.url))
  const child = spawn(process.execPath, [file, what, home, folder, String(stopAt)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  const said = await Promise.race([once(child.stdout, 'data'), closed])
  child.kill('SIGKILL')
  await closed
  if (!String(said[0]).includes('here')) throw new Error(`it ended before its file ${stopAt}`)
}
