import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFileStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { UserHome } from '../testing/user-home.ts'

const at = '2026-03-01T10:00:00.000Z'
const message = { role: 'user', text: 'hi', at } as const

test('I2 damage in a file is located, with what to do, and the file stays as it is', async () => {
  const user = new UserHome()
  const path = user.plantPi('pi-session-aaaaaaaa', '/p', [message, { ...message, text: 'there' }])
  const sound = await user.run(['doctor', path, '--json'])
  expect(sound).toMatchObject({ code: 0 })
  expect(sound.json()).toEqual({ ok: true, entries: 2, damage: [], warnings: [] })

  const size = readFileSync(path).length
  appendFileSync(path, 'no json\n{"type":"message","id":"torn')
  const bytes = readFileSync(path)
  const damaged = await user.run(['doctor', path, '--json'])
  expect(damaged.code).toBe(6)
  expect(damaged.json()).toEqual({
    ok: false,
    entries: 2,
    damage: [
      { offset: size, length: 7, line: 4, reason: 'not_json' },
      { offset: size + 8, length: 28, line: 5, reason: 'torn_tail' },
    ],
    warnings: [],
  })
  const shown = await user.run(['doctor', 'aaaaaaaa'])
  expect(shown.code).toBe(6)
  expect(shown.stdout).toMatch(/^Damaged: .*aaaaaaaa\.jsonl\n {2}of pi, 2 entries can be read/)
  expect(shown.stdout).toContain(`line 4, bytes ${size}–${size + 6}`)
  expect(shown.stdout).toContain(`treeline repair ${path}`)
  expect(readFileSync(path)).toEqual(bytes)
})

test("R2 of a file that is nobody's session no repair is promised", async () => {
  const user = new UserHome()
  const path = join(user.folder, 'notes.md')
  writeFileSync(path, '# Notes\n\nnothing of a session\n')
  const shown = await user.run(['doctor', path])
  expect(shown).toMatchObject({ code: 6, stdout: expect.stringContaining('Nothing in it looks like a session') })
  expect(shown.stdout).not.toContain('treeline repair')
})

test('R2 of a file that holds nothing no repair is promised', async () => {
  const user = new UserHome()
  const path = user.write('.pi/agent/sessions/--p--/empty.jsonl', '')
  const shown = await user.call(['doctor', path])
  expect(shown).toMatchObject({
    code: 6,
    stdout: expect.stringContaining('Restore it from a backup, or move it away.'),
  })
  expect(shown.stdout).not.toContain('treeline repair')
})

test('a damaged header is one damage; a file of another format is judged by its reader', async () => {
  const user = new UserHome()
  const path = user.plantPi('pi-session-aaaaaaaa', '/p', [message])
  writeFileSync(path, readFileSync(path, 'utf8').replace('{"type":"session"', '{"type":"sess'))
  const header = (await user.call(['doctor', path, '--json'])).json()
  expect(header).toMatchObject({ ok: false, entries: 1, damage: [{ offset: 0, line: 1, reason: 'not_json' }] })
  const line = {
    parentUuid: null,
    uuid: 'u1',
    role: 'user',
    content: 'hi',
    type: 'message',
    timestamp: at,
    sessionId: 's',
  }
  const neovate = user.write('n.jsonl', `${JSON.stringify(line)}\n{"parentUuid":"u1","uu`)
  const torn = await user.call(['doctor', neovate, '--json'])
  expect(torn.code).toBe(6)
  expect(torn.json()).toMatchObject({ ok: false, entries: 1, damage: [{ line: 2, length: 22 }] })
})

test('without a file everything under the home is checked, and --fix says first what it would do', async () => {
  const user = new UserHome()
  const home = join(user.folder, 'treeline')
  await using store = await openFileStore({ home })
  await using session = await store.create({ cwd: user.project })
  await session.append({ type: 'message', message: { role: 'user', content: 'hi', timestamp: 1 } })
  await session.close()
  const sound = await user.run(['doctor'])
  expect(sound).toMatchObject({ code: 0 })
  expect(sound.stdout).toMatch(/^Sound: 1 session in /)

  chmodSync(session.path, 0o644)
  mkdirSync(join(home, 'blobs'), { recursive: true, mode: 0o700 })
  const left = join(home, 'blobs', `.${'a'.repeat(64)}.x.tmp`)
  writeFileSync(left, 'half', { mode: 0o600 })
  utimesSync(left, new Date(at), new Date(at))
  const noted = await user.run(['doctor', '--json'])
  expect(noted.code).toBe(0)
  expect(noted.json()).toMatchObject({ ok: true, sessions: 1, logs: [{ path: session.path, ok: true, entries: 1 }] })

  const refused = await user.run(['doctor', '--fix'])
  expect(refused.code).toBe(2)
  expect(refused.stdout).toContain(`close to others  ${session.path}\n  remove           ${left}`)
  expect(existsSync(left)).toBe(true)
  const fixed = await user.run(['doctor', '--fix', '--yes', '--json'])
  expect(fixed.json()).toMatchObject({
    ok: true,
    logs: [],
    warnings: [],
    fixes: { closed: [session.path], removed: [left] },
  })

  appendFileSync(session.path, 'garbage\n')
  const damaged = await user.run(['doctor'])
  expect(damaged.code).toBe(6)
  expect(damaged.stdout).toContain(`What to do: treeline repair ${session.path}`)
})

test('what is not there, or does not fit, is refused', async () => {
  const user = new UserHome()
  expect(await user.call(['doctor', './nothing.jsonl'])).toMatchObject({ code: 3 })
  expect(await user.call(['doctor', './nothing.jsonl', '--fix'])).toMatchObject({ code: 2 })
})
