import { appendFileSync, copyFileSync, renameSync, rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { converse, user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { header, makeTempHome, message } from '../testing/temp-home.ts'

describe('a log that is deleted', () => {
  test('ends a follower with session_not_found, once it was told of all that was there', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const session = await store.create()
    const followed = session.follow()
    await converse(session, 'q1', 'a1')
    expect(await followed.next()).toMatchObject({ value: { id: 'q1' } })
    rmSync(session.path)
    await expect(session.refresh()).rejects.toMatchObject({ code: 'session_not_found' })
    expect(await followed.next()).toMatchObject({ value: { id: 'a1' } })
    await expect(followed.next()).rejects.toMatchObject({ code: 'session_not_found' })
    expect(await followed.next()).toEqual({ done: true, value: undefined })
  })

  test('ends those who wait', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore(temp)
    const session = await store.create()
    await converse(session, 'q1')
    const follows = [session.follow(), session.follow({ afterSeq: 2 })]
    const nexts = follows.map((followed) => followed.next())
    await session.refresh()
    rmSync(session.path)
    for (const next of nexts) await expect(next).rejects.toMatchObject({ code: 'session_not_found' })
  })
})

test('W3 who was told of one of two entries on a line, and goes on from there, is told to read all of it again', async () => {
  using temp = makeTempHome()
  const path = temp.plant('glued', header('glued'), message('one', 'e1', null))
  const [two, three] = [message('two', 'e2', 'e1'), message('three', 'e3', 'e2')].map((entry) => JSON.stringify(entry))
  appendFileSync(path, `${two}${three}\n`)
  await using store = await openFileStore(temp)
  await using session = await store.open('glued')
  const first = session.follow({ afterSeq: 2 })
  const { value } = await first.next()
  await first.return(undefined)
  expect(value).toMatchObject({ id: 'e2', seq: 3 })
  const again = session.follow({ afterSeq: value.seq, epoch: session.epoch })
  expect((await again.next()).value).toMatchObject({ type: 'reset' })
  await again.return(undefined)
})

describe('where watching tells nothing', () => {
  const storage: SessionStorage = { ...createFileStorage(), watch: () => () => {} }

  test("W1 another store's entries are told all the same", async () => {
    using temp = makeTempHome()
    await using store = await openFileStore({ ...temp, storage })
    const reader = await store.create()
    const followed = reader.follow()
    const next = followed.next()
    await reader.refresh()
    await using other = await openFileStore(temp)
    await (await other.open(reader.id)).append(user('1', 'e1'))
    expect(await next).toMatchObject({ value: { id: 'e1' } })
    await followed.return(undefined)
  })

  test('a deleted log is noticed all the same', async () => {
    using temp = makeTempHome()
    await using store = await openFileStore({ ...temp, storage })
    const session = await store.create()
    const next = session.follow().next()
    await session.refresh()
    rmSync(session.path)
    await expect(next).rejects.toMatchObject({ code: 'session_not_found' })
  })
})

test('W5 a reset is told once what is there now was synced', async () => {
  using temp = makeTempHome()
  const happened: string[] = []
  await using store = await openFileStore({ ...temp, storage: tellSyncs(() => happened.push('synced')) })
  const session = await store.create()
  await converse(session, 'q1', 'a1')
  const followed = session.follow()
  const next = followed.next().then(({ value }) => happened.push(value?.type))
  await session.refresh()
  happened.length = 0
  copyFileSync(session.path, `${session.path}.copy`)
  renameSync(`${session.path}.copy`, session.path)
  await session.refresh()
  await next
  expect(happened.slice(0, 2)).toEqual(['synced', 'reset'])
  await followed.return(undefined)
})

/** Real files that tell when a log has been synced. */
function tellSyncs(onSynced: () => void): SessionStorage {
  const real = createFileStorage()
  return {
    ...real,
    openReader(path) {
      const file = real.openReader(path)
      const datasync = file.datasync.bind(file)
      return path.endsWith('.jsonl') ? Object.assign(file, { datasync: () => datasync().then(onSynced) }) : file
    },
  }
}
