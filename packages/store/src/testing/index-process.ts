// Run by tests as a process of its own: brings the index of a home up to date as often as it is told, and says on stdout
// how far it is. Written at once, so that nothing said is lost by a kill.
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { openHome } from '../home.ts'
import { openIndex } from '../session-index/open-index.ts'

const [folder, worker] = process.argv.slice(2) as [string, string]
const home = openHome({ home: folder })
await using index = await openIndex({ home, worker: worker === 'worker' })
writeSync(1, 'ready\n')
for await (const _ of createInterface({ input: process.stdin })) {
  try {
    await index.refresh({ onProgress: ({ filesDone }) => writeSync(1, `+${filesDone}\n`) })
    writeSync(1, 'done\n')
  } catch (error) {
    writeSync(1, `!${String(error)}\n`)
  }
}
home.locks.close()
