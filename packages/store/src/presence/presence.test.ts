import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openFileStore } from '../file-store.ts'
import { openHome, openMemoryHome } from '../home.ts'
import { homePaths } from '../paths.ts'
import { createMemoryStorage } from '../storage/memory-storage.ts'
import { runs } from '../testing/runs.ts'
import { makeTempHome, type TempHome } from '../testing/temp-home.ts'
import { createFilePresence } from './file-presence.ts'
import type { Presence } from './presence.ts'

let temp: TempHome
let children: ChildProcess[]
beforeEach(() => {
  temp = makeTempHome()
  mkdirSync(temp.home)
  children = []
})
afterEach(async () => {
  for (const child of children) await kill(child)
  temp[Symbol.dispose]()
})

const pathOf = (id: string) => join(temp.home, 'sessions', '--p--', `2026-01-01T00-00-00-000Z_${id}.jsonl`)
const folder = () => join(temp.home, 'open')

const HOLD = new URL('../testing/hold-presence.ts', import.meta.url)
const WATCH = new URL('../testing/watch-presence.ts', import.meta.url)

async function start(script: URL, ...args: string[]): Promise<ChildProcess> {
  return (await startAndListen(script, ...args)).child
}

async function startAndListen(script: URL, ...args: string[]): Promise<{ child: ChildProcess; said: string }> {
  const all = [fileURLToPath(script), temp.home, ...args]
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const [said] = await once(child.stdout!, 'data')
  return { child, said: String(said).trim() }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const MAKERS: Record<string, () => () => Presence> = {
  file: () => () => openHome({ home: temp.home }).presence,
  memory() {
    const storage = createMemoryStorage()
    return () => openMemoryHome({ home: temp.home, storage }).presence
  },
}

describe.each(Object.entries(MAKERS))('%s presence', (_name, make) => {
  test('a log is open from enter to leave, for everybody', () => {
    const open = make()
    const [one, two] = [open(), open()]
    const leave = one.enter(pathOf('a'))
    expect([one, two].map((presence) => presence.openLogs().has(pathOf('a')))).toEqual([true, true])
    expect(two.openLogs().has(pathOf('b'))).toBe(false)
    leave()
    expect([one, two].map((presence) => presence.openLogs().has(pathOf('a')))).toEqual([false, false])
    one.close()
  })

  test('entered twice, it is open until it was left twice; leaving twice counts once', () => {
    const presence = make()()
    const [first, second] = [presence.enter(pathOf('a')), presence.enter(pathOf('a'))]
    first()
    first()
    expect(presence.openLogs().has(pathOf('a'))).toBe(true)
    second()
    expect(presence.openLogs().has(pathOf('a'))).toBe(false)
    presence.close()
  })

  test('what one has left is open while another has it; closing leaves everything', () => {
    const open = make()
    const [one, two] = [open(), open()]
    one.enter(pathOf('a'))
    two.enter(pathOf('a'))
    one.close()
    expect(open().openLogs().has(pathOf('a'))).toBe(true)
    two.close()
    expect(open().openLogs().has(pathOf('a'))).toBe(false)
  })
})

describe.each(Object.entries(MAKERS))('%s tokens', (_name, make) => {
  test('a token is the same every time, its own, and lives until its presence is closed, for everybody', () => {
    const open = make()
    const [one, two] = [open(), open()]
    const [first, second] = [one.token!, two.token!]
    expect([one.token, two.token]).toEqual([first, second])
    expect(first).not.toBe(second)
    for (const presence of [one, two]) {
      expect([first, second].map((token) => presence.isAlive(token))).toEqual([true, true])
    }
    one.close()
    expect([one, two].map((presence) => presence.isAlive(first))).toEqual([false, false])
    expect([one.token, two.isAlive(second)]).toEqual([undefined, true])
    two.close()
    expect(open().isAlive(second)).toBe(false)
  })

  test.each([
    '',
    '.',
    '..',
    '../..',
    '../../etc/passwd',
    'a/b',
    'ab'.repeat(12),
    'AB'.repeat(12),
    `${'ab'.repeat(12)}\n`,
  ])('K3 %j is nobody’s token', (token) => {
    const presence = make()()
    const own = presence.token!
    expect(
      [token, `../open/${own}`, `${own}.lock`, own.toUpperCase(), ` ${own}`].map(presence.isAlive, presence),
    ).toEqual(Array(5).fill(false))
    expect(presence.isAlive(own)).toBe(true)
    presence.close()
  })
})

test('R3 the writer in another process lives until it is killed, however often one asks', async () => {
  const { child, said: token } = await startAndListen(HOLD, pathOf('a'))
  await using store = await openFileStore({ home: temp.home })
  const session = await store.create({ cwd: '/p' })
  expect(token).toMatch(/^[0-9a-f]{24}$/)
  for (let i = 0; i < 20; i++) expect(session.isWriterAlive(token)).toBe(true)
  await kill(child)
  expect(session.isWriterAlive(token)).toBe(false)
  expect(session.isWriterAlive(token)).toBe(false)
  expect(session.isWriterAlive(session.writer!)).toBe(true)
})

test('R3 asking whether one lives frees nobody’s lock: the one who asks is alive for others all the while', async () => {
  await using store = await openFileStore({ home: temp.home })
  const session = await store.create({ cwd: '/p' })
  const token = session.writer!
  // In this process too, where closing a file would drop a lock of the plain kind.
  for (const { presence } of [openHome({ home: temp.home }), openHome({ home: temp.home })]) {
    expect(presence.isAlive(token)).toBe(true)
    presence.openLogs()
    presence.close()
  }
  const { said } = await startAndListen(new URL('../testing/ask-presence.ts', import.meta.url), token)
  expect(said).toBe('true')
})

test('asking for a token is enough to be known, and after the end nothing is left and nothing is made', async () => {
  const store = await openFileStore({ home: temp.home })
  const { id, path } = await store.create({ cwd: '/p' })
  await store.close()
  const reader = await openFileStore({ home: temp.home })
  const session = await reader.open(id, { readOnly: true })
  expect(existsSync(path) && readdirSync(folder())).toEqual([])
  const token = session.writer!
  expect(readdirSync(folder())).toEqual([`${token}.lock`])
  expect(statSync(join(folder(), `${token}.lock`)).mode & 0o777).toBe(0o600)
  await reader.close()
  expect(session.writer).toBeUndefined()
  expect(readdirSync(folder())).toEqual([])
})

test('nothing is on the disk before a session is opened for writing, nor after the store is closed', async () => {
  const store = await openFileStore({ home: temp.home })
  await store.list()
  expect(existsSync(folder())).toBe(false)
  const { path } = await store.create({ cwd: '/p' })
  expect(readdirSync(folder())).toHaveLength(2)
  const { presence } = openHome({ home: temp.home })
  expect(presence.openLogs().has(path)).toBe(true)
  await store.close()
  expect(presence.openLogs().has(path)).toBe(false)
  expect(readdirSync(folder())).toEqual([])
})

test('a session opened for reading is not held, one opened twice until both are closed', async () => {
  await using store = await openFileStore({ home: temp.home })
  const first = await store.create({ cwd: '/p' })
  const { id, path } = first
  const { presence } = openHome({ home: temp.home })
  const second = await store.open(id)
  await first.close()
  expect(presence.openLogs().has(path)).toBe(true)
  await second.close()
  expect(presence.openLogs().has(path)).toBe(false)
  await using _reader = await store.open(id, { readOnly: true })
  expect(presence.openLogs().has(path)).toBe(false)
  await expect(store.openPath(join(temp.home, 'sessions', '--p--', 'x_none.jsonl'))).rejects.toThrow()
  expect(readdirSync(folder()).filter((name) => name.includes('-'))).toEqual([])
})

test('K5 its folder is 0700 and its files 0600, whatever the umask', () => {
  const umask = process.umask(0)
  const { presence } = openHome({ home: temp.home })
  try {
    presence.enter(pathOf('a'))
  } finally {
    process.umask(umask)
  }
  expect(statSync(folder()).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(folder())) expect(statSync(join(folder(), name)).mode & 0o777).toBe(0o600)
  presence.close()
})

test('R3 what another process has open is seen; killed, it blocks nobody and leaves nothing', async () => {
  const child = await start(HOLD, pathOf('a'))
  const { presence } = openHome({ home: temp.home })
  expect(presence.openLogs().has(pathOf('a'))).toBe(true)
  expect(presence.openLogs().has(pathOf('a'))).toBe(true)
  await kill(child)
  expect(presence.openLogs().has(pathOf('a'))).toBe(false)
  expect(readdirSync(folder())).toEqual([])
})

test('R3 what killed processes left goes with the next store that is closed', async () => {
  await kill(await start(HOLD, pathOf('a')))
  expect(readdirSync(folder())).toHaveLength(2)
  const store = await openFileStore({ home: temp.home })
  await store.create({ cwd: '/p' })
  await store.close()
  expect(readdirSync(folder())).toEqual([])
})

test('whoever has just come is not taken for dead by those who clean up', async () => {
  const watchers = await Promise.all([start(WATCH), start(WATCH)])
  const reader = createFilePresence(homePaths(temp.home))
  for (let i = 0; i < runs(60); i++) {
    const presence = createFilePresence(homePaths(temp.home))
    presence.enter(pathOf(`s${i}`))
    expect(presence.problem).toBeUndefined()
    expect(reader.openLogs().has(pathOf(`s${i}`))).toBe(true)
    presence.close()
  }
  expect(watchers.map(({ exitCode }) => exitCode)).toEqual([null, null])
})

test('R3 where presence cannot be kept a session opens all the same, and those who ask are told', async () => {
  writeFileSync(folder(), 'in the way')
  const home = openHome({ home: temp.home })
  await using store = await openFileStore({ home: temp.home })
  await using session = await store.create({ cwd: '/p' })
  expect(session.access).toEqual({ mode: 'write' })
  home.presence.enter(pathOf('a'))()
  expect(home.presence.problem).toContain(folder())
  expect(() => home.presence.openLogs()).toThrow(expect.objectContaining({ code: 'internal' }))
  expect([home.presence.token, session.writer]).toEqual([undefined, undefined])
})

test('a lock that cannot be asked is no dead process', () => {
  const nonce = 'ab'.repeat(12)
  mkdirSync(join(folder(), `${nonce}.lock`), { recursive: true })
  const { presence } = openHome({ home: temp.home })
  expect(() => presence.isAlive(nonce)).toThrow(expect.objectContaining({ name: 'TreelineError' }))
})

test('rubbish in its folder is passed over; a damaged lock is that of a dead process', () => {
  mkdirSync(folder())
  const nonce = 'ab'.repeat(12)
  writeFileSync(join(folder(), `${nonce}.lock`), 'no database '.repeat(1000))
  writeFileSync(join(folder(), `${nonce}-a`), '')
  writeFileSync(join(folder(), 'notes.txt'), 'mine')
  const { presence } = openHome({ home: temp.home })
  expect(presence.openLogs().has(pathOf('a'))).toBe(false)
  expect(readdirSync(folder())).toEqual(['notes.txt'])
})
