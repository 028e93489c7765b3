import { appendFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { sampleHome } from '../testing/sample-home.ts'
import { chain, entry, writeLog } from '../testing/write-log.ts'

test('I2 what shows a damaged file says so in one line, with the command that tells more', async () => {
  const path = writeLog([...chain(2), entry('lost', 'nobody', { role: 'user', content: 'hi' })])
  appendFileSync(path, 'no json\n[]\n{"type":"message","id":"to')
  for (const name of ['tree', 'show', 'line', 'context', 'branches']) {
    const { stdout } = await callTreeline([name, path])
    expect.soft(stdout, name).toContain(`\n3 damaged lines, 1 note: treeline doctor ${path}\n`)
  }
  const { home, cwd, id } = await sampleHome()
  expect((await callTreeline(['tree', id], { home, cwd })).stdout).not.toContain('doctor')
  // Without FILE the session is named by its id, so that the line can be pasted.
  const branches = await callTreeline(['branches'], { home, cwd })
  expect(branches.stdout).toContain(`treeline switch ${id} rep00002`)
})
