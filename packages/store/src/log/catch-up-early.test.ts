import { appendFileSync, statSync } from 'node:fs'
import type { EntryDraft } from '@treeline/core'
import { describe, expect, test, vi } from 'vitest'
import { idsOf } from '../contract/look.ts'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { openHome } from '../home.ts'
import type { AroundLock, SessionLocks } from '../locks/locks.ts'
import { LogStore } from '../log-store.ts'
import type { Session } from '../session/session.ts'
import { errnoError } from '../storage/errno.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { makeTempHome } from '../testing/temp-home.ts'
import { watchStorage } from '../testing/watched-storage.ts'
import { FileLog } from './file-log.ts'

test('C1 what others wrote while one waited for the lock is not read under it', async () => {
  using temp = makeTempHome()
  const watched = watchStorage()
  const { locks, ...home } = openHome({ ...temp, storage: watched.storage })
  let lockedBytes = 0
  const waiting: SessionLocks = {
    ...locks,
    run: (id, work, around) => {
      around?.whileWaiting?.()
      return locks.run(
        id,
        () => {
          const before = watched.readBytes
          const result = work()
          lockedBytes = watched.readBytes - before
          return result
        },
        around,
      )
    },
  }
  await using store = new LogStore({ ...home, locks: waiting })
  await using others = await openFileStore(temp)
  await using session = await store.create()
  await session.append(user('first'))
  await using other = await others.open(session.id)
  for (let i = 0; i < 20; i++) await other.append(user(`from elsewhere ${i} `.repeat(20)))
  await session.append(user('last'))
  expect(lockedBytes).toBeLessThan(100)
  expect(await idsOf(session)).toHaveLength(22)
  await other.refresh()
  expect(await idsOf(other)).toEqual(await idsOf(session))
  expect(session.report()).toMatchObject({ skipped: [], notes: [], unreadable: [] })
})

/** Real files on which, once, the disk takes no more than `bytes` of a write; `beforeTakeBack` is told before they are cut off again. */
function fillingDisk(beforeTakeBack: () => void): { storage: SessionStorage; bytes: number | undefined } {
  const real = createFileStorage()
  const disk = { storage: real, bytes: undefined as number | undefined }
  const storage: SessionStorage = {
    ...real,
    openWriter(path, options) {
      const file = real.openWriter(path, options)
      const writeSync = file.writeSync.bind(file)
      const truncateSync = file.truncateSync.bind(file)
      let isFull = false
      return Object.assign(file, {
        writeSync(bytes: Uint8Array) {
          if (isFull) throw errnoError('ENOSPC', 'write', path)
          if (disk.bytes === undefined) return writeSync(bytes)
          isFull = true
          return writeSync(bytes.subarray(0, disk.bytes))
        },
        truncateSync(size: number) {
          beforeTakeBack()
          truncateSync(size)
          isFull = false
          disk.bytes = undefined
        },
      })
    },
  }
  return Object.assign(disk, { storage })
}

describe('R3, C1 a write that was seen and then taken back, and what comes in its place', () => {
  const text = 'a'.repeat(1000)
  const lineBytes = 1200

  /** How much of the write fits (0: its first line), and how many lines are written in its place. */
  const cases: Record<string, [bytes: number, tried: number, retried: number]> = {
    'cut inside a line': [700, 1, 1],
    'cut inside the second line': [lineBytes + 700, 2, 2],
    'cut behind a line, as long as what comes in its place': [0, 2, 1],
  }

  describe.each(['refresh', 'catchUpEarly'])('seen by %s', (how) => {
    test.each(Object.keys(cases))('%s', async (name) => {
      const [bytes, tried, retried] = cases[name]!
      using temp = makeTempHome()
      let other: Session | undefined
      let around: AroundLock | undefined
      const disk = fillingDisk(() => {
        if (how === 'refresh') other!.refresh().catch(() => {})
        else around!.whileWaiting!()
      })
      await using store = await openFileStore({ ...temp, storage: disk.storage })
      await using session = await store.create()
      for (let i = 0; i < 2; i++) await session.append(user(text))
      const lineLength = session.tree.heads.lengthOf(1) + 1

      // The other's lock is what the test waits for.
      const { locks, ...home } = openHome(temp)
      let due = Promise.withResolvers<void>()
      due.resolve()
      const held: SessionLocks = {
        ...locks,
        run: async (id, work, given) => {
          around = given
          await due.promise
          return locks.run(id, work, given)
        },
      }
      await using others = new LogStore({ ...home, locks: held })
      other = await others.open(session.id)
      await other.append(user('from elsewhere'))
      due = Promise.withResolvers()
      around = undefined
      const appended = other.append(user('from elsewhere'))
      await vi.waitUntil(() => around !== undefined)

      disk.bytes = bytes === 0 ? lineLength : bytes
      const drafts = (count: number): EntryDraft[] => Array.from({ length: count }, () => user(text))
      await expect(session.appendAll(drafts(tried))).rejects.toMatchObject({ code: 'storage_full' })
      await session.appendAll(drafts(retried))
      due.resolve()
      await appended
      await session.refresh()
      expect(await idsOf(other)).toEqual(await idsOf(session))
      expect(await idsOf(other)).toHaveLength(2 + 1 + retried + 1)
      expect(other.report()).toMatchObject({ skipped: [], notes: [], unreadable: [] })
      await other.close()
    })
  })
})

test('C1 of two who waited for one lock, the second sees what the first wrote, once', async () => {
  using temp = makeTempHome()
  await using store = await openFileStore(temp)
  await using session = await store.create()
  await session.append(user('first'))
  const works: (() => () => void)[] = []
  const joined: SessionLocks = {
    run: (_id, work, around) =>
      new Promise((resolve) => {
        works.push(() => {
          const result = work()
          return () => {
            around?.afterwards?.()
            resolve(result)
          }
        })
      }),
    close: () => {},
  }
  const log = await FileLog.open({ storage: createFileStorage(), path: session.path, locks: joined })
  const parentId = session.leafId!
  const written = log.commit(() => ({
    entries: [{ ...user('second'), id: '0000000b', parentId, timestamp: new Date().toISOString() }],
    result: undefined,
  }))
  await vi.waitUntil(() => works.length === 1)
  const rewritten = log.rewriteSlot()
  expect(works).toHaveLength(2)
  for (const end of works.map((work) => work())) end()
  await Promise.all([written, rewritten])
  expect(log.tree.heads.count).toBe(2)
  expect(log.report()).toMatchObject({ skipped: [], notes: [], problems: [] })
  await log.close()
})

test('R3 a line that comes in pieces is not read from its beginning for each of them, nor is the log', async () => {
  using temp = makeTempHome()
  const watched = watchStorage()
  await using store = await openFileStore({ ...temp, storage: watched.storage })
  await using session = await store.create()
  await session.appendAll(Array.from({ length: 100 }, (_, i) => user(`${i} `.repeat(1000), `e${i}`)))
  const record = (id: string) => ({ type: 'message', id, parentId: 'e99', timestamp: '2026-01-15T10:00:00.000Z' })
  const glued = ['x1', 'x2'].map((id) => JSON.stringify({ ...record(id), ...user(`${id} `.repeat(1000)) })).join('')
  const begun = glued.length / 2 + 100
  appendFileSync(session.path, glued.slice(0, begun))
  await session.refresh()
  const { size } = statSync(session.path)
  const before = watched.readBytes
  const pieces = 40
  const length = Math.ceil((glued.length - begun) / pieces)
  for (let at = begun; at < glued.length; at += length) {
    appendFileSync(session.path, glued.slice(at, at + length))
    await session.refresh()
  }
  appendFileSync(session.path, '\n')
  expect(watched.readBytes - before).toBeLessThan(size)
  await session.refresh()
  expect((await idsOf(session)).slice(-3)).toEqual(['e99', 'x1', 'x2'])
})
