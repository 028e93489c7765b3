import { appendFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { EditRequest } from '@treeline/core'
import { expect, test } from 'vitest'
import { errnoError } from '../storage/errno.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { dumpIndex } from '../testing/dump-index.ts'
import { IndexWorld } from '../testing/index-world.ts'
import { header, message, toText } from '../testing/temp-home.ts'
import { watchStorage } from '../testing/watched-storage.ts'
import type { RefreshProgress } from './session-index.ts'

/** Real files, of which some refuse. */
function refusing(): { readonly storage: SessionStorage; readonly refused: Set<string> } {
  const real = createFileStorage()
  const refused = new Set<string>()
  const check = (path: string, call: string): void => {
    if (refused.has(path)) throw errnoError('EACCES', call, path)
  }
  const storage: SessionStorage = {
    ...real,
    openReader(path) {
      check(path, 'open')
      return real.openReader(path)
    },
    listFilesSync(dir, pattern) {
      check(dir, 'scandir')
      return real.listFilesSync(dir, pattern)
    },
    listDirsSync(dir) {
      check(dir, 'scandir')
      return real.listDirsSync(dir)
    },
  }
  return { storage, refused }
}

test('I7 a file that cannot be read is listed with its problem, hides no other, and is tried again', async () => {
  const { storage, refused } = refusing()
  await using world = new IndexWorld(storage)
  const bad = world.temp.plant('s1', header('s1'), message('one', 'a1'))
  world.temp.plant('s2', header('s2'), message('two', 'a1'))
  refused.add(bad)
  const index = await world.open()
  const problem = expect.stringContaining('EACCES')
  expect(await index.refresh()).toMatchObject({ indexed: 1, problems: [{ path: bad, problem }] })
  expect((await index.list()).sessions).toMatchObject([{ id: 's2' }, { id: undefined, path: bad, problem }])
  expect(await index.refresh()).toMatchObject({ indexed: 0, problems: [{ path: bad, problem }] })
  refused.clear()
  expect(await index.refresh()).toEqual({ indexed: 1, removed: 0, problems: [] })
  await world.expectAsFresh()
  // One that was known and can no longer be read keeps nothing that could not be checked.
  refused.add(bad)
  appendFileSync(bad, 'x\n')
  await index.refresh()
  await world.expectAsFresh()
})

test('I7 sessions in a folder that cannot be read are not gone', async () => {
  const { storage, refused } = refusing()
  await using world = new IndexWorld(storage)
  const path = world.temp.plant('s1', header('s1'), message('one', 'a1'))
  const index = await world.open()
  await index.refresh()
  const before = dumpIndex(world.indexFile)
  for (const folder of [dirname(path), dirname(dirname(path))]) {
    refused.add(folder)
    const { removed, problems } = await index.refresh()
    expect([removed, problems.length]).toEqual([0, 1])
    expect(dumpIndex(world.indexFile)).toEqual(before)
    refused.clear()
  }
  rmSync(path)
  expect(await index.refresh()).toEqual({ indexed: 0, removed: 1, problems: [] })
  await world.expectAsFresh()
})

test('I7 a file whose name is no text is told of', async () => {
  await using world = new IndexWorld()
  const path = world.temp.plant('s1', header('s1'), message('one', 'a1'))
  const name = Buffer.concat([Buffer.from(`${dirname(path)}/x`), Buffer.from([0xff]), Buffer.from('.jsonl')])
  writeFileSync(name, toText([header('s2'), message('two', 'a1')]))
  const index = await world.open()
  const problem = expect.stringContaining('Rename it')
  for (const indexed of [1, 0]) {
    expect(await index.refresh()).toMatchObject({ indexed, problems: [{ path: name.toString(), problem }] })
  }
})

test('a long log that grew is read from where indexing ended', async () => {
  const watched = watchStorage()
  await using world = new IndexWorld(watched.storage)
  const lines = Array.from({ length: 20_000 }, (_, i) => ({
    type: 'custom',
    id: `c${i}`,
    parentId: null,
    customType: 'x',
  }))
  const path = world.temp.plant('long', header('long'), message('one', 'a1'), ...lines)
  const index = await world.open()
  await index.refresh()
  appendFileSync(path, `${JSON.stringify(message('two and a half', 'a2', 'a1'))}\n`)
  watched.readBytes = 0
  expect(await index.refresh()).toMatchObject({ indexed: 1 })
  expect(watched.readBytes).toBeLessThan(64 * 1024)
  expect((await index.search('half')).hits).toMatchObject([{ nodeId: 'a2' }])
  await world.expectAsFresh()
})

test('I6 edits, repeated lines and late parents in a long log reach nodes indexed long before', async () => {
  await using world = new IndexWorld()
  const pad = 'x'.repeat(400)
  const lines = Array.from({ length: 650 }, (_, i) => ({
    ...message(`text ${i}`, `n${i}`, i === 0 ? null : `n${i - 1}`),
    pad,
  }))
  const path = world.temp.plant('long', header('long'), ...lines)
  const index = await world.open()
  await index.refresh()
  const edit = async (operations: EditRequest['operations']) => {
    await using session = await world.store.openPath(path)
    await session.edit({ operations })
  }
  const steps: readonly (() => unknown)[] = [
    () => edit([{ op: 'mute', nodeIds: ['n5', 'n6'] }]),
    () => edit([{ op: 'prune', nodeId: 'n500', include: 'self' }]),
    () => edit([{ op: 'delete', nodeIds: ['n300'], how: 'splice' }]),
    () => edit([{ op: 'delete', nodeIds: ['n450'], how: 'subtree' }]),
    () => appendFileSync(path, toText([message('said again', 'n10', 'n9')])),
    () => appendFileSync(path, toText([message('a child', 'late-child', 'late'), message('its parent', 'late', 'n3')])),
    async () => {
      await using session = await world.store.openPath(path, { acceptDamage: true })
      await session.undo()
    },
  ]
  for (const take of steps) {
    await take()
    expect(await index.refresh()).toMatchObject({ indexed: 1 })
    await world.expectAsFresh()
  }
})

test('I6, I7 of very many models the first are kept, whether a log grew or is read anew', async () => {
  await using world = new IndexWorld()
  const answers = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({
      ...message('hi', `a${from + i}`),
      message: { role: 'assistant', model: `${from + i} ${'m'.repeat(500)}`, content: [] },
    }))
  const path = world.temp.plant('s1', header('s1'), message('hi', 'u1'), ...answers(0, 90))
  const index = await world.open()
  await index.refresh()
  appendFileSync(path, toText(answers(90, 90)))
  await index.refresh()
  const [session] = (await index.list()).sessions
  expect(session?.models.map((model) => Number.parseInt(model, 10))).toEqual([...Array(100).keys()])
  expect(session?.models.every(({ length }) => length === 200)).toBe(true)
  await world.expectAsFresh()
})

test('nothing is read or written when nothing changed', async () => {
  const watched = watchStorage()
  await using world = new IndexWorld(watched.storage)
  world.temp.plant('s1', header('s1'), message('one', 'a1'))
  const index = await world.open()
  expect(await index.refresh()).toMatchObject({ indexed: 1 })
  watched.readBytes = 0
  expect(await index.refresh()).toEqual({ indexed: 0, removed: 0, problems: [] })
  expect(watched.readBytes).toBe(0)
})

test('a log that was rewritten in place and is longer now is read anew', async () => {
  await using world = new IndexWorld()
  const path = world.temp.plant('s1', header('s1'), message('one', 'a1'), message('two', 'a2', 'a1'))
  const index = await world.open()
  await index.refresh()
  const { ino } = statSync(path)
  for (const lines of [
    [header('s1'), message('other', 'b1'), message('words', 'b2', 'b1'), message('and more of them', 'b3', 'b2')],
    [header('s2'), message('other', 'b1'), message('words', 'b2', 'b1'), message('and more of them', 'b3', 'b2'), {}],
  ]) {
    writeFileSync(path, toText(lines))
    expect(statSync(path).ino).toBe(ino)
    await index.refresh()
    await world.expectAsFresh()
  }
})

test('every refresh that resolves has everything from before it was asked for', async () => {
  await using world = new IndexWorld()
  world.temp.plant('s0', header('s0'), message('first', 'a1'))
  const index = await world.open()
  const checks: Promise<void>[] = []
  const indexed = async (id: string) => {
    await index.refresh()
    expect((await index.list()).sessions.map((session) => session.id)).toContain(id)
  }
  // Told of progress, the run has looked at the files already.
  await index.refresh({
    onProgress() {
      for (const id of ['s1', 's2']) {
        world.temp.plant(id, header(id), message('later', 'a1'))
        checks.push(indexed(id))
      }
    },
  })
  expect(checks).toHaveLength(2)
  await Promise.all(checks)
})

test('a run that was stopped before it began is not joined', async () => {
  await using world = new IndexWorld()
  const plant = (id: string) => world.temp.plant(id, header(id), message('text', 'a1'))
  plant('s0')
  const index = await world.open()
  const abortedAtOnce = async () => {
    const stop = new AbortController()
    const running = index.refresh({ signal: stop.signal })
    const reason = new Error('no longer wanted')
    stop.abort(reason)
    await expect(running).rejects.toBe(reason)
  }
  const checks: Promise<unknown>[] = [abortedAtOnce()]
  // Told of progress, the run has looked at the files already: what is asked for now waits for the next one.
  const onProgress = () => {
    plant('s1')
    checks.push(abortedAtOnce(), index.refresh(), abortedAtOnce(), index.refresh())
  }
  checks.push(index.refresh({ onProgress }))
  expect(await checks[1]).toMatchObject({ indexed: 1 })
  await Promise.all(checks)
  await index.refresh()
  await world.expectAsFresh()
})

test('a listener that throws is told so by its own refresh, and by no other', async () => {
  await using world = new IndexWorld()
  for (let i = 0; i < 5; i++) world.temp.plant(`s${i}`, header(`s${i}`), message(`text ${i}`, 'a1'))
  const index = await world.open()
  const reason = new Error('cannot bear it')
  const told = index.refresh({
    onProgress() {
      throw reason
    },
  })
  const seen: number[] = []
  const onProgress = ({ filesDone }: RefreshProgress) => seen.push(filesDone)
  const stop = new AbortController()
  const aborted = index.refresh({ onProgress, signal: stop.signal })
  const other = index.refresh({ onProgress })
  stop.abort()
  await expect(aborted).rejects.toThrow('aborted')
  await expect(told).rejects.toBe(reason)
  expect(await other).toMatchObject({ indexed: 5 })
  expect(seen).toEqual([1, 2, 3, 4, 5])
})

test('who aborts waits no longer; others do, and the index is whole', async () => {
  await using world = new IndexWorld()
  for (let i = 0; i < 40; i++) world.temp.plant(`s${i}`, header(`s${i}`), message(`text ${i}`, 'a1'))
  const index = await world.open()
  const stop = new AbortController()
  const seen: RefreshProgress[] = []
  const aborted = index.refresh({ signal: stop.signal, onProgress: () => stop.abort() })
  const other = index.refresh({ onProgress: (progress) => seen.push(progress) })
  await expect(aborted).rejects.toThrow('aborted')
  expect(await other).toMatchObject({ indexed: 40 })
  expect(seen.at(-1)).toMatchObject({ filesDone: 40, filesTotal: 40 })
  expect(seen.at(-1)!.bytesDone).toBe(seen.at(-1)!.bytesTotal)
  await expect(index.refresh({ signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  await world.expectAsFresh()
})
