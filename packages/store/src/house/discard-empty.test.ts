import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openFileStore } from '../file-store.ts'
import { openHome } from '../home.ts'
import { makeTempHome } from '../testing/temp-home.ts'
import { discardEmpty } from './discard-empty.ts'

const USER = { type: 'message', message: { role: 'user', content: 'Hello', timestamp: 1 } }

async function made(
  fill: (session: Awaited<ReturnType<typeof make>>) => Promise<unknown> = async () => {},
  title?: string,
) {
  const temp = makeTempHome()
  onTestFinished(() => temp[Symbol.dispose]())
  const { home: folder } = temp
  const session = await make(folder, title)
  await fill(session)
  await session.close()
  const home = openHome({ home: folder })
  return { folder, home, path: session.path, id: session.id }
}

async function make(folder: string, title?: string) {
  const store = await openFileStore({ home: folder })
  return store.create({ cwd: '/p', title })
}

test('a session in which nothing was said leaves nothing behind', async () => {
  const { home, path, id } = await made()
  expect(await discardEmpty(home, path, id)).toBe(true)
  expect(readdirSync(dirname(path))).toEqual([])
})

test('settings alone are nothing to come back to', async () => {
  const { home, path, id } = await made((session) =>
    session.append({ type: 'model_change', provider: 'demo', modelId: 'demo' }),
  )
  expect(await discardEmpty(home, path, id)).toBe(true)
  expect(existsSync(path)).toBe(false)
})

test.each([
  ['a prompt', (session: Awaited<ReturnType<typeof make>>) => session.append(USER)],
  ['a name', (session: Awaited<ReturnType<typeof make>>) => session.rename('Plans')],
])('R1 one with %s stays as it is', async (_, fill) => {
  const { home, path, id } = await made(fill)
  const before = readFileSync(path)
  expect(await discardEmpty(home, path, id)).toBe(false)
  expect(readFileSync(path)).toEqual(before)
})

test('R1 one that was begun with a name stays', async () => {
  const { home, path, id } = await made(undefined, 'Plans')
  expect(await discardEmpty(home, path, id)).toBe(false)
  expect(existsSync(path)).toBe(true)
})

test('I3 one with a line that cannot be read stays', async () => {
  const { home, path, id } = await made()
  appendFileSync(path, '{"type":"mess')
  expect(await discardEmpty(home, path, id)).toBe(false)
  expect(existsSync(path)).toBe(true)
})

test('one that is open, also in another store, stays', async () => {
  const { folder, home, path, id } = await made()
  await using store = await openFileStore({ home: folder })
  await using session = await store.open(id)
  expect(await discardEmpty(home, path, id)).toBe(false)
  await session.append(USER)
  expect(readFileSync(path, 'utf8')).toContain('Hello')
})

test('D1 whoever opens it at the same time and says something is refused, or what was said is there', async () => {
  for (let turn = 0; turn < 24; turn++) {
    const { folder, home, path, id } = await made()
    const speak = async (): Promise<boolean> => {
      await using store = await openFileStore({ home: folder })
      for (let wait = 0; wait < turn % 8; wait++) await new Promise(setImmediate)
      const session = await store.open(id)
      await session.append(USER)
      return true
    }
    const discard = async (): Promise<boolean> => {
      for (let wait = 8; wait > turn % 8; wait--) await new Promise(setImmediate)
      return discardEmpty(home, path, id)
    }
    const refused = (error: { readonly code?: string }) => {
      expect(error.code).toBe('session_not_found')
      return false
    }
    const [isSaid, isGone] = await Promise.all([speak().catch(refused), discard()])
    expect(isSaid).toBe(!isGone)
    if (isSaid) expect(readFileSync(path, 'utf8')).toContain('Hello')
  }
})

test('one that is gone already, or of another id, is left alone', async () => {
  const { home, path, id } = await made()
  expect(await discardEmpty(home, path, 'another-id')).toBe(false)
  expect(await discardEmpty(home, path, id)).toBe(true)
  expect(await discardEmpty(home, path, id)).toBe(false)
})
