import { readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { idsOf } from '../contract/look.ts'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { errnoError } from '../storage/errno.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { createFaultyStorage } from '../testing/faulty-storage.ts'
import { FaultPlan } from '../testing/faulty-storage-plan.ts'
import { makeTempHome } from '../testing/temp-home.ts'

const EIO = { type: 'error', code: 'EIO' } as const

function planned(): { readonly plan: FaultPlan; readonly storage: ReturnType<typeof createFaultyStorage> } {
  const plan = new FaultPlan()
  return { plan, storage: createFaultyStorage(createFileStorage(), plan) }
}

test('D1 the folder cannot be synced: the entry is refused, and so is its retry until the folder is durable', async () => {
  using temp = makeTempHome()
  const { plan, storage } = planned()
  await using store = await openFileStore({ home: temp.home, storage })
  await using session = await store.create()
  plan.arm({ nth: 1, kinds: ['syncDir'], outcome: EIO, lasts: 'until-healed' })
  for (let attempt = 0; attempt < 3; attempt++) {
    await expect(session.append(user('once', '0000000a'))).rejects.toMatchObject({ name: 'TreelineError' })
  }
  plan.heal()
  const before = plan.calls.length
  await session.append(user('once', '0000000a'))
  const kindsSince = () => plan.calls.slice(before).map(({ kind }) => kind)
  expect(kindsSince()).toContain('syncDir')
  await session.append(user('more'))
  expect(kindsSince().filter((kind) => kind === 'syncDir')).toHaveLength(1)
})

test('R3 what was written, and could then not be measured, is acknowledged when its sync holds, and written again when not', async () => {
  using temp = makeTempHome()
  const { plan, storage } = planned()
  await using store = await openFileStore({ home: temp.home, storage })
  await using session = await store.create()
  await session.append(user('first'))
  const before = plan.calls.length
  await session.append(user('second'))
  const stats = plan.calls.slice(before).filter(({ kind }) => kind === 'stat')
  plan.arm({ nth: stats.length, kinds: ['stat'], outcome: EIO })
  await session.append(user('written', '0000000a'))
  const linesWith = (id: string) => readFileSync(session.path, 'utf8').split(`"id":"${id}"`).length - 1
  expect([plan.hasStruck, linesWith('0000000a')]).toEqual([true, 1])
  plan.heal()
  await session.append(user('read anew'))
  plan.arm({ nth: stats.length, kinds: ['stat', 'datasync'], outcome: EIO, lasts: 'until-healed' })
  await expect(session.append(user('next', '0000000b'))).rejects.toMatchObject({ name: 'TreelineError' })
  plan.heal()
  await session.append(user('next', '0000000b'))
  expect([linesWith('0000000a'), linesWith('0000000b')]).toEqual([1, 2])
  expect(session.leafId).toBe('0000000b')
})

test('D5, R3 while nothing can be made durable, an append that is refused adds no more than what is owed', async () => {
  using temp = makeTempHome()
  const { plan, storage } = planned()
  await using store = await openFileStore({ home: temp.home, storage })
  await using session = await store.create()
  plan.arm({ nth: 1, kinds: ['datasync'], outcome: EIO, lasts: 'until-healed' })
  const refuse = (id: string) => expect(session.append(user(id, id))).rejects.toMatchObject({ name: 'TreelineError' })
  for (let i = 0; i < 30; i++) await refuse(`e${i}`)
  const lines = readFileSync(session.path, 'utf8').trimEnd().split('\n').slice(1)
  expect(new Set(lines.map((line) => JSON.parse(line).id))).toEqual(new Set(['e0']))
  expect(lines.length).toBeLessThan(40)
  plan.heal()
  await session.append(user('after', 'after'))
  expect(new Set(await idsOf(session))).toEqual(new Set(['e0', 'after']))
})

test('R3 while nothing can be made durable, somebody who watches does not have it written again and again', async () => {
  using temp = makeTempHome()
  const { plan, storage } = planned()
  let onChange = (): void => {}
  const watch = (_path: string, changed: () => void) => {
    onChange = changed
    return () => {}
  }
  await using store = await openFileStore({ home: temp.home, storage: { ...storage, watch } })
  await using session = await store.create()
  await session.append(user('first', 'e1'))
  const told = session.follow().next()
  plan.arm({ nth: 1, kinds: ['datasync'], outcome: EIO, lasts: 'until-healed' })
  await expect(session.append(user('second', 'e2'))).rejects.toMatchObject({ name: 'TreelineError' })
  const { length } = plan.calls
  for (let i = 0; i < 50; i++) {
    onChange()
    await setImmediate()
  }
  const writes = plan.calls.slice(length).filter(({ kind }) => kind === 'write')
  expect(writes.length).toBeLessThanOrEqual(1)
  plan.heal()
  await session.append(user('third', 'e3'))
  expect((await told).done).toBe(false)
  expect(new Set(await idsOf(session))).toEqual(new Set(['e1', 'e2', 'e3']))
})

test('R3 a failed sync and a disk that is full then keep nobody busy, also when somebody follows', async () => {
  using temp = makeTempHome()
  const { plan, storage } = planned()
  let isFull = false
  let refused = 0
  const openWriter: SessionStorage['openWriter'] = (path, options) => {
    const file = storage.openWriter(path, options)
    const writeSync = (bytes: Uint8Array): number => {
      // Whoever tried again and again would never let go of the turn: some time there is room.
      if (!isFull || refused === 100) return write(bytes)
      refused++
      throw errnoError('ENOSPC', 'write', path)
    }
    const write = file.writeSync.bind(file)
    return Object.assign(file, { writeSync })
  }
  await using store = await openFileStore({ home: temp.home, storage: { ...storage, openWriter } })
  await using session = await store.create()
  await session.append(user('first', 'e1'))
  const told = session.follow().next()
  plan.arm({ nth: 1, kinds: ['datasync'], outcome: EIO })
  await expect(session.append(user('second', 'e2'))).rejects.toMatchObject({ name: 'TreelineError' })
  isFull = true
  await expect(session.append(user('third', 'e3'))).rejects.toMatchObject({ code: 'storage_full' })
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  expect(refused).toBe(1)
  isFull = false
  await session.append(user('fourth', 'e4'))
  expect((await told).done).toBe(false)
  expect(new Set(await idsOf(session))).toEqual(new Set(['e1', 'e2', 'e4']))
})

test('R3 who reads a long session goes on reading, however often appends to it are refused meanwhile', async () => {
  using temp = makeTempHome()
  const { plan, storage } = planned()
  await using store = await openFileStore({ home: temp.home, storage })
  await using session = await store.create()
  await session.appendAll(Array.from({ length: 1000 }, (_, i) => user(`message ${i}`)))
  const entries = session.entries()
  await entries.next()
  plan.arm({ nth: 1, kinds: ['datasync'], outcome: EIO, lasts: 'until-healed' })
  for (let i = 0; i < 10; i++) {
    await expect(session.append(user('refused'))).rejects.toMatchObject({ name: 'TreelineError' })
  }
  plan.heal()
  let count = 1
  for await (const _ of entries) count++
  expect(count).toBeGreaterThanOrEqual(1000)
})

test('I6 a log that could not be brought up to date for a second session is let go of with the first', async () => {
  using temp = makeTempHome()
  const { plan, storage } = planned()
  await using store = await openFileStore({ home: temp.home, storage })
  const session = await store.create()
  await using other = await openFileStore({ home: temp.home })
  await (await other.open(session.id)).append(user('of another process'))
  plan.arm({ nth: 1, kinds: ['stat'], outcome: EIO })
  await expect(store.open(session.id)).rejects.toMatchObject({ name: 'TreelineError' })
  expect(plan.hasStruck).toBe(true)
  plan.heal()
  await session.close()
  const { length } = plan.calls
  await (await store.open(session.id)).close()
  // It is opened anew.
  expect(plan.calls.slice(length)).toContainEqual({ kind: 'open', path: session.path })
})
