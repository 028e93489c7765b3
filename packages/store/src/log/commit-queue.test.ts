import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { idsOf } from '../contract/look.ts'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { openMemoryStore } from '../memory-store.ts'
import { makeTempHome } from '../testing/temp-home.ts'
import { watchStorage } from '../testing/watched-storage.ts'

describe('durability', () => {
  test('D1 by default every acknowledged append was synced; what is asked for at once is synced once', async () => {
    using temp = makeTempHome()
    const watched = watchStorage()
    await using store = await openFileStore({ ...temp, ...watched })
    const session = await store.create()
    watched.writes = watched.syncs = 0
    for (let i = 0; i < 5; i++) await session.append(user('x'))
    expect([watched.writes, watched.syncs]).toEqual([5, 5])
    await Promise.all(Array.from({ length: 64 }, () => session.append(user('x'))))
    expect([watched.writes, watched.syncs]).toEqual([6, 6])
  })

  test("D2 with durability 'written' nothing is synced, and others see it at once all the same", async () => {
    using temp = makeTempHome()
    const watched = watchStorage()
    await using store = await openFileStore({ ...temp, ...watched, durability: 'written' })
    const session = await store.create()
    watched.syncs = 0
    await session.append(user('x', 'e1'))
    expect(watched.syncs).toBe(0)
    await using other = await openFileStore(temp)
    expect(await idsOf(await other.open(session.id))).toEqual(['e1'])
  })
})

test('what does not fit into one write goes into the next, in its order', async () => {
  using temp = makeTempHome()
  const watched = watchStorage()
  await using store = await openFileStore({ ...temp, ...watched, durability: 'written' })
  const session = await store.create()
  const text = 'x'.repeat(400_000)
  const parts = Array.from({ length: 25 }, () => ({ type: 'text', text }))
  const ids = Array.from({ length: 16 }, (_, i) => `e${i}`)
  watched.writes = 0
  // Of 10 MB each.
  const message = { role: 'user', content: parts, timestamp: 1 }
  const appended = ids.map((id) => session.append({ type: 'message', id, message }))
  await session.flush()
  expect(watched.writes).toBe(3)
  expect((await Promise.all(appended)).map(({ id }) => id)).toEqual(ids)
  expect(await idsOf(session)).toEqual(ids)
  expect(session.leafId).toBe('e15')
})

describe('buffer', () => {
  const slow = { intervalMs: 60_000 }

  test.each([0, -1])('one for %s entries holds nothing back, and others get their turn', async (maxEntries) => {
    using temp = makeTempHome()
    await using store = await openFileStore({ ...temp, buffer: { ...slow, maxEntries } })
    const session = await store.create()
    await session.append(user('x', 'e1'))
    await setImmediate()
    expect(await idsOf(session)).toEqual(['e1'])
  })

  test('flush holds nothing back that was asked for while something else was written', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore({ ...temp, buffer: { ...slow, maxEntries: 2 } })
    const session = await store.create()
    const full = [session.append(user('1', 'e1')), session.append(user('2', 'e2'))]
    await Promise.resolve()
    const held = session.append(user('3', 'e3'))
    await session.flush()
    await Promise.all([...full, held])
    expect(await idsOf(session)).toEqual(['e1', 'e2', 'e3'])
  })

  test('P14 entries are held back until the buffer is full', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore({ ...temp, buffer: { ...slow, maxEntries: 10 } })
    const session = await store.create()
    const { size } = statSync(session.path)
    let settled = 0
    const append = (i: number) => session.append(user(`${i}`, `e${i}`)).then(() => settled++)
    const waiting = Array.from({ length: 9 }, (_, i) => append(i))
    for (let turn = 0; turn < 20; turn++) await setImmediate()
    expect([settled, statSync(session.path).size]).toEqual([0, size])
    await Promise.all([...waiting, append(9)])
    expect(settled).toBe(10)
    expect(await idsOf(session)).toEqual(Array.from({ length: 10 }, (_, i) => `e${i}`))
  })

  test('P14 a buffer that does not fill is written when its time is up', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore({ ...temp, buffer: { intervalMs: 20 } })
    const session = await store.create()
    await session.append(user('alone', 'e1'))
    expect(readFileSync(session.path, 'utf8')).toContain('"e1"')
  })

  test('P15 a hundred messages are at most ten writes', async () => {
    using temp = makeTempHome()
    const watched = watchStorage()
    await using store = await openFileStore({ ...temp, ...watched, buffer: slow })
    const session = await store.create()
    watched.writes = 0
    const waiting: Promise<unknown>[] = []
    for (let i = 0; i < 100; i++) {
      waiting.push(session.append(user(`${i}`)))
      await setImmediate()
    }
    await session.flush()
    await Promise.all(waiting)
    expect(watched.writes).toBeLessThanOrEqual(10)
    expect(await idsOf(session)).toHaveLength(100)
  })

  test('P15 what comes while a batch is written is held back as well', async () => {
    using temp = makeTempHome()
    const watched = watchStorage()
    await using store = await openFileStore({ ...temp, ...watched, buffer: { intervalMs: 60_000, maxEntries: 2 } })
    const session = await store.create()
    watched.writes = 0
    const first = [session.append(user('1')), session.append(user('2'))]
    await Promise.resolve()
    const third = session.append(user('3'))
    await Promise.all(first)
    await setImmediate()
    expect(watched.writes).toBe(1)
    await Promise.all([third, session.append(user('4'))])
    expect(watched.writes).toBe(2)
  })

  test('P14 close writes what waits and stops the timer; an empty buffer writes nothing', async () => {
    using temp = makeTempHome()
    const watched = watchStorage()
    await using store = await openFileStore({ ...temp, ...watched, buffer: slow })
    const session = await store.create()
    watched.writes = 0
    await session.flush()
    expect(watched.writes).toBe(0)
    const waiting = [session.append(user('1', 'e1')), session.append(user('2', 'e2')), session.rename('named')]
    await session.close()
    await Promise.all(waiting)
    expect(watched.writes).toBe(1)
    const again = await store.open(session.id)
    expect((await idsOf(again)).slice(0, 2)).toEqual(['e1', 'e2'])
    expect(again.name).toBe('named')
  })

  test('X7 entries added while a flush is under way are neither lost nor doubled', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore({ ...temp, buffer: { maxEntries: 3, intervalMs: 5 } })
    const session = await store.create()
    const waiting: Promise<unknown>[] = []
    for (let i = 0; i < 200; i++) {
      waiting.push(session.append(user(`${i}`, `e${i}`)))
      if (i % 7 === 0) waiting.push(session.flush())
      if (i % 3 === 0) await setImmediate()
    }
    await session.close()
    await Promise.all(waiting)
    const again = await store.open(session.id)
    expect(await idsOf(again)).toEqual(Array.from({ length: 200 }, (_, i) => `e${i}`))
    expect(again.report().problems).toEqual([])
  })

  test('X7 flush and close hold nothing back, also of a retry that has to be compared first', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore({ ...temp, buffer: { maxEntries: 10, intervalMs: 600_000 } })
    const session = await store.create()
    const first = session.append(user('first', 'e1'))
    await session.flush()
    const again = session.append(user('first', 'e1'))
    await session.flush()
    const last = session.append(user('first', 'e1'))
    await session.close()
    expect(await Promise.all([first, again, last])).toMatchObject([{ id: 'e1' }, { id: 'e1' }, { id: 'e1' }])
  })

  test('P14 a script that awaits a buffered append does not end before it is written', async () => {
    using temp = makeTempHome()
    const said = await runScript(
      `const store = await openFileStore({ home: ${JSON.stringify(temp.home)}, buffer: { intervalMs: 50 } })
       const session = await store.create()
       await session.append(${JSON.stringify(user('alone', 'e1'))})
       console.log(session.path)`,
    )
    expect(readFileSync(said, 'utf8')).toContain('"e1"')
  })

  test('X8 once nothing waits, the buffer keeps no process alive', async () => {
    using temp = makeTempHome()
    const said = await runScript(
      `const buffer = { maxEntries: 2, intervalMs: 600_000 }
       const store = await openFileStore({ home: ${JSON.stringify(temp.home)}, buffer })
       const session = await store.create()
       const append = () => session.append(${JSON.stringify(user('x'))})
       const first = [append(), append()]
       await Promise.resolve()
       const third = append()
       await Promise.all(first)
       await Promise.all([third, append()])
       console.log(session.tree.rowCount)`,
    )
    expect(said).toBe('4')
  })

  test('reading while entries wait shows what is stored, and the leaf they will hang under', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore({ ...temp, buffer: slow })
    const session = await store.create()
    const waiting = [session.append(user('1', 'e1')), session.append(user('2', 'e2'))]
    expect(await idsOf(session)).toEqual([])
    await session.flush()
    expect(await Promise.all(waiting)).toMatchObject([{ parentId: null }, { parentId: 'e1' }])
  })
})

test('a queue that is full refuses with rate_limited, and everything it took is written', async () => {
  await using store = await openMemoryStore()
  const session = await store.create()
  const results = await Promise.allSettled(Array.from({ length: 16_400 }, (_, i) => session.append(user('x', `e${i}`))))
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(16)
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'rate_limited' })
  expect(session.tree.rowCount).toBe(16_384)
  await session.append(user('after', 'later'))
  expect(await session.readEntry('later')).toMatchObject({ parentId: 'e16383' })
})

/** Runs it as a process of its own, and gives what it said when it ended by itself. */
async function runScript(body: string): Promise<string> {
  const script = `import { openFileStore } from ${JSON.stringify(new URL('../file-store.ts', import.meta.url).href)}\n${body}`
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { timeout: 20_000 })
  return (await run).stdout.trim()
}
