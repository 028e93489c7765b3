import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { entriesOf, trunkOf } from '../contract/look.ts'
import { converse, generation, user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { UnseenLines } from '../log/unseen-lines.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import type { SessionStorage, StorageReader } from '../storage/storage.ts'
import { header, makeTempHome, message, type TempHome, toText } from '../testing/temp-home.ts'
import type { Session } from './session.ts'

describe('where a path ends that', () => {
  const label = (nodeId: string, label: string) => ({ op: 'label', nodeId, label }) as const
  const labelsOf = ({ tree }: Session) => [...tree.edits.labels].map(([id, { label }]) => [id, label])

  test('I3 cannot be read, the fork goes on from what is there, and labels what is there', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const made = await store.create({ id: 'source' })
    await converse(made, 'q1', 'a1', 'q2', 'a2')
    await made.edit({ operations: [label('a1', 'kept'), label('a2', 'lost')] })
    await made.close()
    const spoilt = readFileSync(made.path, 'utf8').replace(/("id":"a2".*"content"):/, '$1;')
    writeFileSync(made.path, spoilt)
    const source = await store.openPath(made.path, { readOnly: true })
    const told: string[] = []
    const fork = await store.fork(source, { nodeId: 'a2', onLeftOut: ({ code }) => told.push(code) })
    await fork.append(user('and on', 'q3'))
    expect(told).toEqual(['damaged'])
    expect(trunkOf(fork)).toEqual(['q1', 'a1', 'q2', 'q3'])
    expect(labelsOf(fork)).toEqual([['a1', 'kept']])
    await using again = await openFileStore(temp)
    const opened = await again.open(fork.id)
    expect([trunkOf(opened), labelsOf(opened)]).toEqual([trunkOf(fork), labelsOf(fork)])
  })

  test('is still being generated, its label is left out and told', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const source = await store.create()
    await converse(source, 'q1')
    await source.append(generation('a1'))
    await source.edit({ operations: [label('q1', 'kept'), label('a1', 'lost')] })
    const told: string[] = []
    const fork = await store.fork(source, { nodeId: 'a1', onLeftOut: ({ code }) => told.push(code) })
    expect(told).toEqual(['node_not_found'])
    expect(fork.leafId).toBe('q1')
    expect(labelsOf(fork)).toEqual([['q1', 'kept']])
  })
})

test('a fork is looked at by whoever wants to know something of it, and before that if it is but little of its source', async () => {
  using temp = makeTempHome()
  using looks = vi.spyOn(UnseenLines.prototype, 'lookAt')
  await using store = await openFileStore(temp)
  const source = await store.create()
  await converse(source, ...Array.from({ length: 40 }, (_, i) => `e${i}`))
  const most = await store.fork(source, { nodeId: 'e20' })
  expect(most.header.parentSession).toBe(source.id)
  expect(looks).not.toHaveBeenCalled()
  expect(most.leafId).toBe('e20')
  expect(looks).toHaveBeenCalledOnce()
  await store.fork(source, { nodeId: 'e3' })
  expect(looks).toHaveBeenCalledTimes(2)
})

test('I4 entries without an id keep the one they are known by, whatever comes before them in the fork', async () => {
  using temp = makeTempHome()
  await using store = await openFileStore(temp)
  const path = temp.plant('bare')
  const lines = [message('q1', 'q1'), message('beside', 'x1', 'q1'), message('a1', 'a1', 'q1')]
  writeFileSync(path, toText([header('bare'), ...lines, message('without'), message('without either')]))
  const source = await store.openPath(path, { readOnly: true })
  const fork = await store.fork(source)
  expect(trunkOf(source)).toHaveLength(4)
  expect(trunkOf(fork)).toEqual(trunkOf(source))
})

test('of a path whose lines come by turns with those of another branch, many are read at a time', async () => {
  using temp = makeTempHome()
  let reads = 0
  const storage = wrapReads(createFileStorage(), (file, into, position) => {
    reads++
    return file.readSync(into, position)
  })
  await using store = await openFileStore({ ...temp, storage })
  const path = temp.plant('turns')
  const idOf = (i: number) => `e${i}`
  const lines = Array.from({ length: 2000 }, (_, i) => message(`says ${i}`, idOf(i), i < 2 ? null : idOf(i - 2)))
  writeFileSync(path, toText([header('turns'), ...lines]))
  const source = await store.openPath(path, { readOnly: true })
  reads = 0
  const fork = await store.fork(source)
  expect(reads).toBeLessThan(20)
  expect(trunkOf(fork)).toEqual(trunkOf(source))
  expect(await entriesOf(fork)).toEqual((await entriesOf(source)).filter((_, i) => i % 2 === 1))
})

describe('lines that fill a window', () => {
  const COUNT = 400

  /** Each line is as long as all others, and some hundred are read at a time. */
  async function makeEven(temp: TempHome): Promise<string> {
    await using store = await openFileStore({ ...temp, durability: 'written' })
    const session = await store.create({ id: 'even', cwd: '/p' })
    for (let i = 0; i < COUNT; i++) await session.append(user('even '.repeat(1000), idOf(i)))
    return session.path
  }

  function idOf(i: number): string {
    return `e${String(i).padStart(4, '0')}`
  }

  test('I3 what comes after them hangs under what is there, also when their last one is left out', async () => {
    using temp = makeTempHome()
    const path = await makeEven(temp)
    const text = readFileSync(path, 'latin1')
    await using store = await openFileStore(temp)
    // One of these is the last of a window.
    for (let at = 95; at < 110; at++) {
      const place = text.indexOf(`"id":"${idOf(at)}"`)
      writeFileSync(path, text.slice(0, place) + text.slice(place).replace('"content":', '"content";'), 'latin1')
      await using source = await store.openPath(path, { readOnly: true })
      const told: string[] = []
      const fork = await store.fork(source, { onLeftOut: ({ code }) => told.push(code) })
      expect(told).toEqual(['damaged'])
      expect(fork.report().problems).toEqual([])
      expect(trunkOf(fork)).toHaveLength(COUNT - 1)
      await fork.close()
    }
  })

  test('I2, I3 what is cut off while it is copied is left out, and nothing else is taken for it', async () => {
    using temp = makeTempHome()
    await makeEven(temp)
    let end = Number.POSITIVE_INFINITY
    await using store = await openFileStore({ ...temp, storage: cutAt(() => end) })
    const made = await store.open('even')
    // The first hundred come last. They fill the rest of a window whose first lines are cut off, and where there is still
    // what was there before, as long as what should be there.
    await made.resetLeaf()
    // As long as the others, whose parent has three letters more.
    await made.append(user(`${'even '.repeat(1000)}***`, 'other'))
    await made.edit({ operations: [{ op: 'graft', sourceId: idOf(100), targetId: 'other', mode: 'move' }] })
    await made.edit({ operations: [{ op: 'graft', sourceId: idOf(0), targetId: idOf(COUNT - 1), mode: 'move' }] })
    await made.branch(idOf(99))
    await made.close()
    const source = await store.openPath(made.path, { readOnly: true })
    const trunk = trunkOf(source)
    expect(trunk).toHaveLength(COUNT + 1)
    end = Math.floor(readFileSync(source.path).length * 0.85)
    const told: string[] = []
    const fork = await store.fork(source, { onLeftOut: ({ code }) => told.push(code) })
    end = Number.POSITIVE_INFINITY
    expect(told.length).toBeGreaterThan(COUNT * 0.14)
    const found = trunkOf(fork)
    expect(found).toEqual(trunk.filter((id) => found.includes(id)))
    expect(found.length + told.length).toBe(trunk.length)
    expect((await entriesOf(fork)).map(({ id }) => id)).toEqual(found)
  })
})

/** What is behind a byte of a file is not there for who reads it, although its size says so. */
function cutAt(end: () => number): SessionStorage {
  return wrapReads(createFileStorage(), (file, into, position) =>
    file.readSync(into.subarray(0, Math.max(0, end() - position)), position),
  )
}

type ReadSync = (file: StorageReader, into: Uint8Array, position: number) => number

function wrapReads(storage: SessionStorage, readSync: ReadSync): SessionStorage {
  const wrap = (file: StorageReader): StorageReader => ({
    statSync: () => file.statSync(),
    readSync: (into, position) => readSync(file, into, position),
    read: async (into, position) => readSync(file, into, position),
    datasync: () => file.datasync(),
    datasyncSync: () => file.datasyncSync(),
    closeSync: () => file.closeSync(),
  })
  return { ...storage, openReader: (path) => wrap(storage.openReader(path)) }
}
