import { readFileSync, statSync, truncateSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { idsOf } from '../contract/look.ts'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { holdSyncs } from '../testing/held-syncs.ts'
import { makeTempHome } from '../testing/temp-home.ts'

/** A new session in a store whose syncs can be held back. */
async function openHeld() {
  const temp = makeTempHome()
  const holding = holdSyncs()
  const store = await openFileStore({ home: temp.home, storage: holding.storage })
  const close = async (): Promise<void> => {
    await store.close()
    temp[Symbol.dispose]()
  }
  return { temp, holding, session: await store.create(), [Symbol.asyncDispose]: close }
}

const outcomeOf = (appended: Promise<unknown>) =>
  appended.then(
    () => 'acknowledged',
    () => 'refused',
  )
const lost = () => Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })

test('D5 of two syncs of one handle the system tells only one that bytes were lost: then neither counts', async () => {
  for (const failing of [0, 1]) {
    await using opened = await openHeld()
    const { temp, holding, session } = opened
    await using others = await openFileStore(temp)
    await session.append(user('first'))
    await using other = await others.open(session.id)
    await other.append(user('from elsewhere'))

    holding.isHeld = true
    const looked = session.refresh().catch((error: unknown) => error)
    await setImmediate()
    const appended = outcomeOf(session.append({ ...user('ours'), id: '0000000a' }))
    await setImmediate()
    // Whatever is synced at the same time is told of one failure, in whichever order.
    const together = holding.held.splice(0)
    const [failed] = together.splice(failing % together.length, 1)
    failed!.reject(lost())
    for (const sync of together) sync.resolve()
    holding.isHeld = false
    await setImmediate()
    for (const sync of holding.held) sync.resolve()
    expect(await appended).toBe('refused')
    await looked
    await session.append({ ...user('ours'), id: '0000000a' })
    expect(await idsOf(session)).toContain('0000000a')
  }
})

test('D5 a failed sync is not used up by the columns that are saved beside an append', async () => {
  await using opened = await openHeld()
  const { holding, session } = opened
  await session.appendAll(Array.from({ length: 4096 }, () => user('x'.repeat(80))))
  // The columns are about to be saved.
  holding.isHeld = true
  await setImmediate()
  const appended = outcomeOf(session.append(user('ours')))
  await setImmediate()
  const [first, ...later] = holding.held.splice(0)
  first!.reject(lost())
  for (const sync of later) sync.resolve()
  holding.isHeld = false
  expect(await appended).toBe('refused')
})

test('D1 what is asked for while a batch is on its way to the disk is written before those are told who waited', async () => {
  await using opened = await openHeld()
  const { holding, session } = opened
  await session.append(user('first'))
  holding.isHeld = true
  const order: string[] = []
  const one = session.append(user('one', '0000000a')).then(() => order.push('one'))
  await setImmediate()
  const two = session.append(user('two', '0000000b')).then(() => order.push('two'))
  await setImmediate()
  // Not before: a write in the middle of a sync makes the sync longer.
  expect(readFileSync(session.path, 'utf8')).not.toContain('0000000b')
  expect(holding.held).toHaveLength(1)
  holding.held.shift()!.resolve()
  await one
  expect(order).toEqual(['one'])
  expect(readFileSync(session.path, 'utf8')).toContain('0000000b')
  expect(holding.held).toHaveLength(1)
  holding.isHeld = false
  holding.held.shift()!.resolve()
  await two
  expect(order).toEqual(['one', 'two'])
})

test('D5 a sync fails while the next batch waits: the first is refused, and on the disk before the second is acknowledged', async () => {
  await using opened = await openHeld()
  const { holding, session } = opened
  await session.append(user('first'))
  holding.isHeld = true
  const one = outcomeOf(session.append(user('one', '0000000a')))
  await setImmediate()
  const two = session.append(user('two', '0000000b'))
  await setImmediate()
  holding.isHeld = false
  holding.held.shift()!.reject(lost())
  expect(await one).toBe('refused')
  await two
  const lines = readFileSync(session.path, 'utf8').split('\n')
  // Once by the write whose sync failed, and again by the one that holds.
  expect(lines.filter((line) => line.includes('"id":"0000000a"'))).toHaveLength(2)
  expect(lines.findLastIndex((line) => line.includes('"id":"0000000a"'))).toBeLessThan(
    lines.findIndex((line) => line.includes('"id":"0000000b"')),
  )
  expect(await idsOf(session)).toContain('0000000b')
})

test('a log that is cut while nobody syncs: what was synced before does not count for what is written after', async () => {
  await using opened = await openHeld()
  const { holding, session } = opened
  const { size } = statSync(session.path)
  await session.append(user('a long message '.repeat(100)))
  truncateSync(session.path, size)
  holding.isHeld = true
  const short = session.append(user('short', '0000000c'))
  await setImmediate()
  expect(holding.held).toHaveLength(1)
  holding.isHeld = false
  holding.held.shift()!.resolve()
  expect(await short).toMatchObject({ id: '0000000c', parentId: null })
})
