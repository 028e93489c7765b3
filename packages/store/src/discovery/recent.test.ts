import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nextMillisecond } from '../contract/next-millisecond.ts'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { openHome } from '../home.ts'
import { homePaths } from '../paths.ts'
import { folderSource } from '../session-index/folder-source.ts'
import { openIndex } from '../session-index/open-index.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import type { SessionStorage } from '../storage/storage.ts'
import type { SessionStore } from '../store.ts'
import { header, makeTempHome, message, toText } from '../testing/temp-home.ts'
import { openTempIndex } from '../testing/temp-index.ts'
import { findMostRecentSession, getRecentSessions, list, listAll } from './recent.ts'

/** Makes a session with one prompt, later than all before it. */
async function say(store: SessionStore, cwd: string, text: string): Promise<{ id: string; path: string }> {
  await nextMillisecond()
  await using session = await store.create({ cwd })
  await session.append(user(text))
  const { id, path } = session
  return { id, path }
}

describe('recent sessions', () => {
  test('S34, N41 where nothing is, nothing is found and nothing thrown', async () => {
    using temp = makeTempHome()
    await using index = await openTempIndex(temp)
    expect(await findMostRecentSession(index, { cwd: '/p' })).toBeUndefined()
    expect(await findMostRecentSession(index)).toBeUndefined()
    expect(await getRecentSessions(index)).toEqual([])
    expect(await list(index, '/p')).toEqual([])
    expect(await listAll(index)).toEqual([])
  })

  test('S34, X72 latest by the last event, whatever touched the files', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const early = await say(store, '/p', 'one')
    const late = await say(store, '/p', 'two')
    const later = new Date(Date.now() + 86_400_000)
    utimesSync(early.path, later, later)
    await using index = await openTempIndex(temp)
    expect(await findMostRecentSession(index, { cwd: '/p' })).toMatchObject({ id: late.id, firstPrompt: 'two' })
    expect((await list(index, '/p')).map(({ id }) => id)).toEqual([late.id, early.id])
    await nextMillisecond()
    await (await store.open(early.id)).append(user('again'))
    utimesSync(early.path, new Date(0), new Date(0))
    expect((await findMostRecentSession(index, { cwd: '/p' }))?.id).toBe(early.id)
  })

  test('S34 projects whose folders have the same name never mix', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const dashed = await say(store, '/a-b', 'dashed')
    const nested = await say(store, '/a/b', 'nested')
    expect(dirname(dashed.path)).toBe(dirname(nested.path))
    await using index = await openTempIndex(temp)
    expect((await findMostRecentSession(index, { cwd: '/a-b' }))?.id).toBe(dashed.id)
    expect((await findMostRecentSession(index, { cwd: '/a/b' }))?.id).toBe(nested.id)
    expect((await list(index, '/a-b')).map(({ id }) => id)).toEqual([dashed.id])
    expect((await listAll(index)).map(({ id }) => id)).toEqual([nested.id, dashed.id])
    expect((await findMostRecentSession(index))?.id).toBe(nested.id)
  })

  test('S27 a session without a prompt is in no list, and goes on all the same', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const spoken = await say(store, '/p', 'hello')
    await nextMillisecond()
    const silent = await store.create({ cwd: '/p' })
    await using index = await openTempIndex(temp)
    expect((await list(index, '/p')).map(({ id }) => id)).toEqual([spoken.id])
    expect((await listAll(index)).map(({ id }) => id)).toEqual([spoken.id])
    expect((await findMostRecentSession(index, { cwd: '/p' }))?.id).toBe(silent.id)
  })

  test('S34, X13 the last few for a picker, and all of them in lists of any length', async () => {
    using temp = makeTempHome()
    const { sessions } = homePaths(temp.home)
    mkdirSync(join(sessions, '--p--'), { recursive: true })
    for (let i = 0; i < 450; i++) {
      const timestamp = new Date(Date.UTC(2026, 0, 1, 0, 0, i)).toISOString()
      const lines = [
        { ...header(`s${i}`), timestamp },
        { ...message(`prompt ${i}`, 'e1'), timestamp },
      ]
      writeFileSync(join(sessions, '--p--', `${i}_s${i}.jsonl`), toText(lines))
    }
    await using index = await openTempIndex(temp)
    await index.refresh()
    const all = await listAll(index)
    expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 450 }, (_, i) => `s${449 - i}`))
    expect(all[0]).toMatchObject({ messageCount: 1, entryCount: 1 })
    expect((await list(index, '/p')).length).toBe(450)
    expect((await getRecentSessions(index)).map(({ id }) => id)).toEqual(['s449', 's448', 's447'])
    expect(await getRecentSessions(index, { limit: 10, cwd: '/other' })).toEqual([])
  })

  test("S34 other tools' sessions are listed; what goes on by itself is our own", async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const own = await say(store, '/p', 'ours')
    const folder = join(temp.outside, 'sessions')
    mkdirSync(join(folder, '--p--'), { recursive: true })
    const timestamp = new Date(Date.now() + 60_000).toISOString()
    const theirs = [
      { ...header('theirs'), timestamp },
      { ...message('theirs', 'e1'), timestamp },
    ]
    writeFileSync(join(folder, '--p--', '1_theirs.jsonl'), toText(theirs))
    await using index = await openTempIndex(temp, folderSource({ name: 'pi', folders: [folder], home: temp.home }))
    expect((await listAll(index)).map(({ id, source }) => [id, source])).toEqual([
      ['theirs', 'pi'],
      [own.id, 'treeline'],
    ])
    expect((await findMostRecentSession(index, { cwd: '/p' }))?.id).toBe(own.id)
  })

  test('I7 a session that cannot be read, or has no header, is not the one that goes on', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const good = await say(store, '/p', 'good')
    const bad = await say(store, '/p', 'bad')
    temp.plant('headless', { ...message('hello', 'e1'), timestamp: '2100-01-01T00:00:00.000Z' })
    let isBroken = false
    const real = createFileStorage()
    const storage: SessionStorage = {
      ...real,
      openReader(path) {
        if (isBroken && path === bad.path) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
        return real.openReader(path)
      },
    }
    const home = openHome({ ...temp, storage })
    await using index = await openIndex({ home, worker: false })
    for (const options of [{}, { cwd: '/p' }]) expect((await findMostRecentSession(index, options))?.id).toBe(bad.id)
    isBroken = true
    utimesSync(bad.path, 1, 1)
    for (const options of [{}, { cwd: '/p' }]) expect((await findMostRecentSession(index, options))?.id).toBe(good.id)
    home.locks.close()
  })
})
