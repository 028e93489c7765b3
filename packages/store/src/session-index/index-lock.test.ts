import { appendFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LockDatabase } from '../locks/lock-database.ts'
import { IndexWorld } from '../testing/index-world.ts'
import { header, message } from '../testing/temp-home.ts'
import { withIndexLock } from './index-lock.ts'
import { Pace } from './pace.ts'

/** As a process that was stopped in the middle of a refresh has it. */
function holdLock({ home }: IndexWorld): LockDatabase {
  const lock = new LockDatabase(home.paths.indexLock)
  expect(lock.tryLock()).toBe(true)
  return lock
}

const lock = (world: IndexWorld, patienceMs: number) =>
  withIndexLock(world.home.paths, new Pace(new AbortController().signal), async () => 'mine', patienceMs)

test('R3 for a process that holds the lock and does nothing nobody waits for ever', async () => {
  await using world = new IndexWorld()
  await (await world.open()).refresh()
  const held = holdLock(world)
  await expect(lock(world, 50)).rejects.toMatchObject({
    code: 'session_locked',
    message: expect.stringContaining('end it'),
  })
  held.close()
  expect(await lock(world, 50)).toBe('mine')
})

test('one that works is waited for, however long it takes', async () => {
  await using world = new IndexWorld()
  await (await world.open()).refresh()
  const held = holdLock(world)
  let pauses = 0
  class WhileOthersWork extends Pace {
    override async pause(): Promise<void> {
      appendFileSync(`${world.indexFile}-wal`, 'x')
      if (++pauses === 20) held.close()
    }
  }
  const pace = new WhileOthersWork(new AbortController().signal)
  expect(await withIndexLock(world.home.paths, pace, async () => 'mine', 0)).toBe('mine')
  expect(pauses).toBe(20)
})

test('R3 lists and searches answer while the lock is held, and what waits for it can be aborted', async () => {
  await using world = new IndexWorld()
  world.temp.plant('s1', header('s1'), message('one word', 'a1'))
  const built = await world.open()
  await built.refresh()
  const held = holdLock(world)
  const index = await world.open()
  expect((await index.list()).sessions).toHaveLength(1)
  expect((await index.search('word')).hits).toHaveLength(1)
  expect(await index.find('s1')).toHaveLength(1)
  const reason = new Error('no longer wanted')
  const expectAborted = async (ask: (signal: AbortSignal) => Promise<unknown>) => {
    const stop = new AbortController()
    const asked = ask(stop.signal)
    setImmediate(() => stop.abort(reason))
    await expect(asked).rejects.toBe(reason)
  }
  await expectAborted((signal) => index.refresh({ signal }))
  await expectAborted((signal) => index.search('word', { fresh: true, signal }))
  await using unbuilt = new IndexWorld()
  const empty = await unbuilt.open()
  const other = holdLock(unbuilt)
  await expectAborted((signal) => empty.search('word', { signal }))
  await expect(built.search('none such', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  for (const one of [held, other]) one.close()
})
