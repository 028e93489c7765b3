import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FlatEntry } from '@treeline/core'
import { createFileStorage, type SessionStorage } from '@treeline/store'
import { expect, test, vi } from 'vitest'
import { makeTempFolder } from '../../testing/temp-folder.ts'
import { SessionWriter } from './session-writer.ts'

const entry = (n: number): FlatEntry => ({
  id: `${n}`,
  parentId: null,
  timestamp: n,
  type: 'user',
  content: `text ${n}`,
})
const idsIn = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).id)

interface Watched extends SessionStorage {
  /** Bytes of each write, and the names of syncs, in order. */
  readonly calls: (number | string)[]
  /** Set to make the next write or sync fail. */
  failure: { readonly on: 'write' | 'sync'; readonly code: string } | undefined
}

/** Real files whose calls can be counted and made to fail. */
function watch(): Watched {
  const inner = createFileStorage()
  const fail = (on: 'write' | 'sync'): void => {
    if (storage.failure?.on === on) throw Object.assign(new Error('failed'), { code: storage.failure.code })
  }
  const storage: Watched = {
    ...inner,
    calls: [],
    failure: undefined,
    openWriter(path, options) {
      const file = inner.openWriter(path, options)
      const write = file.writeSync.bind(file)
      const sync = file.datasync.bind(file)
      file.writeSync = (bytes) => {
        fail('write')
        storage.calls.push(bytes.length)
        return write(bytes)
      }
      file.datasync = async () => {
        fail('sync')
        await sync()
        storage.calls.push('sync')
      }
      return file
    },
  }
  return storage
}

test('what is on its way to the disk is not written yet', async () => {
  using temp = makeTempFolder()
  await using writer = new SessionWriter(join(temp.path, 'x.jsonl'))
  await writer.append(entry(1))
  const flushing = writer.flush()
  await Promise.resolve()
  await writer.append(entry(2))
  expect(writer.unwritten.map(({ id }) => id)).toEqual(['1', '2'])
  await flushing
  expect(writer.unwritten.map(({ id }) => id)).toEqual(['2'])
})

test('P14 P15 100 messages are 10 writes, each synced, of whole lines', async () => {
  using folder = makeTempFolder()
  const path = join(folder.path, 's.jsonl')
  const storage = watch()
  const writer = new SessionWriter(path, undefined, undefined, { storage })
  for (let n = 0; n < 100; n++) await writer.append(entry(n))
  expect(storage.calls.filter((call) => call === 'sync')).toHaveLength(10)
  expect(storage.calls).toHaveLength(20)
  await writer.flush()
  expect(storage.calls).toHaveLength(20)
  await writer.close()
  expect(idsIn(path)).toEqual(Array.from({ length: 100 }, (_, n) => `${n}`))
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('P14 what is buffered is written after the interval', async () => {
  using folder = makeTempFolder()
  const path = join(folder.path, 's.jsonl')
  const writer = new SessionWriter(path, 10, 5)
  await writer.append(entry(1))
  expect(existsSync(path)).toBe(false)
  await vi.waitFor(() => expect(idsIn(path)).toEqual(['1']))
  await writer.append(entry(2))
  await vi.waitFor(() => expect(idsIn(path)).toEqual(['1', '2']))
  await writer.close()
})

test('X7 nothing is lost and nothing written twice when flushes and appends overlap', async () => {
  using folder = makeTempFolder()
  const path = join(folder.path, 's.jsonl')
  const writer = new SessionWriter(path, 3)
  const all = Array.from({ length: 50 }, (_, n) => n)
  const work = all.flatMap((n) => [writer.append(entry(n)), ...(n % 4 === 0 ? [writer.flush()] : [])])
  await writer.close()
  expect(idsIn(path)).toEqual(all.map(String))
  await Promise.all(work)
})

test('X6 with a buffer of one an append is durable when it resolves, and those asked for together share a write', async () => {
  using folder = makeTempFolder()
  const path = join(folder.path, 's.jsonl')
  const storage = watch()
  await using writer = new SessionWriter(path, 1, 1000, { storage })
  await writer.append(entry(0))
  expect(storage.calls.at(-1)).toBe('sync')
  expect(idsIn(path)).toEqual(['0'])
  await Promise.all([1, 2, 3].map((n) => writer.append(entry(n))))
  expect(storage.calls.filter((call) => call === 'sync')).toHaveLength(2)
})

test('X7 close waits for what is under way; afterwards nothing is accepted', async () => {
  using folder = makeTempFolder()
  const path = join(folder.path, 's.jsonl')
  const writer = new SessionWriter(path)
  void writer.append(entry(1))
  void writer.flush()
  void writer.append(entry(2))
  await writer.close()
  expect(idsIn(path)).toEqual(['1', '2'])
  await expect(writer.append(entry(3))).rejects.toMatchObject({ code: 'bad_request' })
  await expect(writer.close()).resolves.toBeUndefined()
})

test.each(['write', 'sync'] as const)(
  'X8 a failed %s is told once, latched, and what was not written is still there',
  async (on) => {
    using folder = makeTempFolder()
    const path = join(folder.path, 's.jsonl')
    const storage = watch()
    const onError = vi.fn()
    const writer = new SessionWriter(path, 2, 5, { storage, onError })
    await Promise.all([writer.append(entry(1)), writer.append(entry(2))])
    storage.failure = { on, code: 'ENOSPC' }
    await writer.append(entry(3))
    await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce())
    expect(onError.mock.calls[0]![0]).toMatchObject({ code: 'storage_full' })
    storage.failure = undefined
    await expect(writer.append(entry(4))).rejects.toMatchObject({ code: 'storage_full' })
    await expect(writer.flush()).rejects.toMatchObject({ code: 'storage_full' })
    await expect(writer.close()).rejects.toMatchObject({ code: 'storage_full' })
    expect(writer.unwritten.map(({ id }) => id)).toEqual(['3'])
    expect(onError).toHaveBeenCalledOnce()
  },
)

test('D1 behind a line that was cut off ours starts on a line of its own', async () => {
  using folder = makeTempFolder()
  const path = folder.plant('s.jsonl', entry(1), '{"id":"2","par')
  await using writer = new SessionWriter(path, 1)
  await writer.append(entry(3))
  expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify(entry(1))}\n{"id":"2","par\n${JSON.stringify(entry(3))}\n`)
  appendFileSync(path, 'torn by another program')
  await writer.append(entry(4))
  expect(readFileSync(path, 'utf8').split('\n').slice(-2)).toEqual([JSON.stringify(entry(4)), ''])
})

test('a file that was moved away underneath is not written to any more', async () => {
  using folder = makeTempFolder()
  const path = folder.plant('s.jsonl', entry(1))
  await using writer = new SessionWriter(path, 1)
  await writer.append(entry(2))
  renameSync(path, `${path}.old`)
  await writer.append(entry(3))
  expect(idsIn(`${path}.old`)).toEqual(['1', '2'])
  expect(idsIn(path)).toEqual(['3'])
})

test('an entry that is no JSON is refused and nothing else with it', async () => {
  using folder = makeTempFolder()
  const path = join(folder.path, 's.jsonl')
  await using writer = new SessionWriter(path, 1)
  await expect(writer.append({ ...entry(1), metadata: { n: 1n } })).rejects.toMatchObject({ code: 'invalid_entry' })
  await writer.append(entry(2))
  expect(idsIn(path)).toEqual(['2'])
})

test('X8 a writer that nobody closes does not keep the process alive', () => {
  using folder = makeTempFolder()
  const module = JSON.stringify(new URL('./session-writer.ts', import.meta.url).href)
  const path = JSON.stringify(join(folder.path, 's.jsonl'))
  const code = `const { SessionWriter } = await import(${module})
    await new SessionWriter(${path}, 10, 600000).append({ id: '1', timestamp: 1, type: 'user', content: 'x' })`
  const { status, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { timeout: 20_000 })
  expect([status, signal]).toEqual([0, null])
})
