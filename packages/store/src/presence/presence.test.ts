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
  const all = [fileURLToPath(script), temp.home, ...args]
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  await once(child.stdout!, 'data')
  return child
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
