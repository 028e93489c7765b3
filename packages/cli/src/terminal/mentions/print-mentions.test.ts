import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readKept } from '../../testing/chat-terminal.ts'
import { runTreeline, tempFolder } from '../../testing/run-treeline.ts'

const env = { TREELINE_DEMO_DELAY_MS: '0' }

test('treeline -p sends the files that the command line names, and not those that come by standard input', async () => {
  const cwd = tempFolder()
  const home = join(tempFolder(), 'home')
  writeFileSync(join(cwd, 'a.ts'), 'boil()\n')
  writeFileSync(join(cwd, 'b.ts'), 'whistle()\n')
  const { code, stderr } = await runTreeline(['-p', 'explain @a.ts'], { cwd, home, env, stdin: 'see @b.ts' })
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('a.ts')])
  const { entries, text } = await readKept(home)
  expect(entries.map(({ message }) => message)).toContainEqual(
    expect.objectContaining({
      content: [
        { type: 'text', text: 'explain @a.ts\n\nsee @b.ts' },
        { type: 'text', text: '<file path="a.ts" count="1">\nboil()\n</file>' },
      ],
    }),
  )
  expect(text).not.toContain('whistle')
})

test('treeline -p says what it did not send', async () => {
  const { code, stderr } = await runTreeline(['-p', 'explain @/etc/hostname'], { env })
  expect(code).toBe(0)
  expect(stderr).toContain('outside of the project')
})

test('a session is named after the words, not after the file', async () => {
  const cwd = tempFolder()
  const home = join(tempFolder(), 'home')
  writeFileSync(join(cwd, 'a.ts'), 'boil()\n')
  await runTreeline(['-p', 'explain @a.ts'], { cwd, home, env })
  const listed = await runTreeline(['ls', '--json'], { cwd, home, env })
  expect(listed.stdout).toContain('"explain @a.ts"')
})
