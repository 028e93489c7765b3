import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callTreeline } from '../testing/call-treeline.ts'
import { runTreeline, tempFolder } from '../testing/run-treeline.ts'

const SECRET = 'sk-live-0123456789abcdef-WXYZ'

function place() {
  const cwd = tempFolder()
  return { cwd, home: join(cwd, 'home') }
}

test('K5 a piped key is stored for its owner alone, listed by its end, and removed', async () => {
  const at = place()
  const stored = await runTreeline(['auth', 'set', 'openai'], { ...at, stdin: `${SECRET}\n` })
  expect(stored).toMatchObject({ code: 0, stdout: 'Stored: the key for openai.\n', stderr: '' })
  const file = join(at.home, 'auth.json')
  expect([statSync(file).mode & 0o777, statSync(at.home).mode & 0o777]).toEqual([0o600, 0o700])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ openai: { type: 'api_key', key: SECRET } })

  const listed = await callTreeline(['auth'], at)
  expect(listed.stdout).toMatch(/^openai +…WXYZ +auth\.json$/m)
  expect(listed.stdout).toMatch(/^anthropic +-$/m)
  const { providers } = (await callTreeline(['auth', 'list', 'openai', '--json'], at)).json()
  expect(providers).toEqual([{ provider: 'openai', from: 'auth.json', ending: 'WXYZ', problem: null }])
  expect(listed.stdout).not.toContain(SECRET)

  const removed = await callTreeline(['auth', 'remove', 'openai', '--json'], at)
  expect(removed.json()).toEqual({ provider: 'openai', removed: true })
  expect((await callTreeline(['auth', 'remove', 'openai'], at)).stdout).toBe('No key for openai is stored.\n')
  expect(readFileSync(file, 'utf8')).not.toContain(SECRET)
  expect(readdirSync(at.home).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test('at a terminal the key is asked for and not shown', async () => {
  const at = place()
  const ran = await callTreeline(['auth', 'set', 'anthropic'], { ...at, stdin: `${SECRET}\n`, isTty: true })
  expect(ran).toMatchObject({ code: 0 })
  expect(ran.stderr).toContain('The key for anthropic (it is not shown):')
  expect(ran.stdout + ran.stderr).not.toContain(SECRET)
  expect(readFileSync(join(at.home, 'auth.json'), 'utf8')).toContain(SECRET)
  // Nothing can be asked unseen here, and what is typed would be seen.
  const json = await callTreeline(['auth', 'set', 'openai', '--json'], { ...at, stdin: `${SECRET}\n`, isTty: true })
  expect(json).toMatchObject({ code: 2, stderr: expect.stringContaining('give it on standard input') })
})

test.each([[['set', 'openai', SECRET]], [['set', SECRET]], [['remove', SECRET]]])(
  'a key is never taken as an argument, nor repeated (%#)',
  async (words) => {
    const at = place()
    const ran = await callTreeline(['auth', ...words], { ...at, stdin: SECRET })
    expect(ran.code).toBe(2)
    expect(ran.stdout + ran.stderr).not.toContain('0123456789')
    expect(existsSync(join(at.home, 'auth.json'))).toBe(false)
  },
)

test('what cannot be stored is refused with what to do', async () => {
  const at = place()
  const set = (provider: string, stdin: string) => callTreeline(['auth', 'set', provider], { ...at, stdin })
  expect(await set('opnai', SECRET)).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean openai?') })
  expect(await set('demo', SECRET)).toMatchObject({ code: 2, stderr: expect.stringContaining('needs no key') })
  expect(await set('openai', '')).toMatchObject({ code: 2, stderr: expect.stringContaining('is empty') })
  const two = await set('openai', `${SECRET}\n${SECRET}`)
  expect(two).toMatchObject({ code: 2, stderr: expect.stringContaining('characters that no key has') })
  expect(two.stderr).not.toContain(SECRET)
  expect(await callTreeline(['auth', 'set'], at)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('whose key'),
  })
})

test('a key of the environment is named by its variable, a short one not shown at all', async () => {
  const at = place()
  await callTreeline(['auth', 'set', 'openai'], { ...at, stdin: SECRET })
  const env = { OPENAI_API_KEY: 'from-environment', GEMINI_API_KEY: 'short-secret' }
  const { stdout } = await callTreeline(['auth'], { ...at, env })
  expect(stdout).toMatch(/^openai +…ment +OPENAI_API_KEY$/m)
  expect(stdout).toMatch(/^google +set +GEMINI_API_KEY$/m)
  const again = await callTreeline(['auth', 'set', 'openai'], { ...at, env, stdin: SECRET })
  expect(again.stderr).toContain('OPENAI_API_KEY is set too')
})

test('a file that others can read or that is none is told without what it says', async () => {
  const at = place()
  mkdirSync(at.home, { mode: 0o700 })
  const file = join(at.home, 'auth.json')
  writeFileSync(file, JSON.stringify({ openai: { type: 'api_key', key: SECRET } }))
  chmodSync(file, 0o644)
  const open = await callTreeline(['auth', 'list', 'openai', '--json'], at)
  expect(open.json().providers[0].problem).toContain('chmod 600')
  writeFileSync(file, `{"openai": "${SECRET}`)
  const broken = await callTreeline(['auth', 'set', 'openai'], { ...at, stdin: 'new-key' })
  expect(broken).toMatchObject({ code: 6, stderr: expect.stringContaining('not JSON') })
  expect(open.stdout + broken.stderr).not.toContain(SECRET)
})
