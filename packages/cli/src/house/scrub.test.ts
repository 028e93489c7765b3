import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { sampleHome } from '../testing/sample-home.ts'

const SECRET = 'sk-live-0123456789abcdef'

test('R1 scrub looks first, says what it cannot reach, and removes only when that is confirmed', async () => {
  const { path, sessionId, ...at } = await sampleHome({ prompt: `My key is ${SECRET}, keep it.` })
  const looked = await callTreeline(['scrub', '--stdin'], { ...at, stdin: `${SECRET}\n` })
  expect(looked.code).toBe(0)
  expect(looked.stdout).toMatch(/sessions +\w{8} +1 /)
  expect(looked.stdout).toContain('Backups and copies made elsewhere.')
  expect(looked.stdout).toContain('Nothing was changed.')
  expect(looked.stdout + looked.stderr).not.toContain(SECRET)
  expect(readFileSync(path, 'utf8')).toContain(SECRET)

  const done = await callTreeline(['scrub', '--stdin', '--yes', '--json'], { ...at, stdin: SECRET })
  expect(done.json()).toMatchObject({ applied: true, done: { sessionIds: [sessionId], left: [] } })
  expect(done.stdout).not.toContain(SECRET)
  expect(readFileSync(path, 'utf8')).not.toContain(SECRET)
  const gone = await callTreeline(['scrub', '--stdin', '--yes'], { ...at, stdin: SECRET })
  expect(gone.stdout).toContain('It was found nowhere in the home.')
})

test('the secret may come from a file, never from an argument', async () => {
  const { path, cwd, ...at } = await sampleHome({ prompt: SECRET })
  const given = await callTreeline(['scrub', SECRET], { ...at, cwd })
  expect(given).toMatchObject({ code: 2, stderr: expect.stringContaining('is one word too many') })
  const none = await callTreeline(['scrub'], { ...at, cwd })
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('--stdin reads it from standard input') })
  const missing = await callTreeline(['scrub', '--file', 'nothere'], { ...at, cwd })
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('The secret cannot be read') })
  const short = await callTreeline(['scrub', '--stdin'], { ...at, cwd, stdin: 'key' })
  expect(short).toMatchObject({ code: 2, stderr: expect.stringContaining('shorter than 6 characters') })
  writeFileSync(join(cwd, 'secret.txt'), `${SECRET}\n`)
  const done = await callTreeline(['scrub', '--file', 'secret.txt', '--yes'], { ...at, cwd })
  expect(done.stdout).toMatch(/Removed: \d+ files? written anew or deleted, 0 prompts\./)
  expect(readFileSync(path, 'utf8')).not.toContain(SECRET)
})
