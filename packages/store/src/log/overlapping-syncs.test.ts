import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { idsOf } from '../contract/look.ts'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import type { SessionStorage, StorageReader } from '../storage/storage.ts'
import { makeTempHome } from '../testing/temp-home.ts'

type Held = PromiseWithResolvers<void>

/** Real files; while it is held, a sync of a log ends when the test says so. */
function holdSyncs(): { storage: SessionStorage; held: Held[]; isHeld: boolean } {
  const real = createFileStorage()
  const holding = { storage: real, held: [] as Held[], isHeld: false }
  const hold = <T extends StorageReader>(path: string, file: T): T => {
    const datasync = file.datasync.bind(file)
    const held = (): Promise<void> => {
      if (!holding.isHeld) return datasync()
      const sync = Promise.withResolvers<void>()
      holding.held.push(sync)
      return sync.promise
    }
    return path.endsWith('.jsonl') ? Object.assign(file, { datasync: held }) : file
  }
  const storage: SessionStorage = {
    ...real,
    openReader: (path) => hold(path, real.openReader(path)),
    openWriter: (path, options) => hold(path, real.openWriter(path, options)),
  }
  return Object.assign(holding, { storage })
}

const lost = () => Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })

test('D5 of two syncs of one handle the system tells only one that bytes were lost: then neither counts', async () => {
  for (const failing of [0, 1]) {
    using temp = makeTempHome()
    const holding = holdSyncs()
    await using store = await openFileStore({ home: temp.home, storage: holding.storage })
    await using others = await openFileStore(temp)
    await using session = await store.create()
    await session.append(user('first'))
    await using other = await others.open(session.id)
    await other.append(user('from elsewhere'))

    holding.isHeld = true
    const looked = session.refresh().catch((error: unknown) => error)
    await setImmediate()
    const appended = session.append({ ...user('ours'), id: '0000000a' }).then(
      () => 'acknowledged',
      () => 'refused',
    )
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
  using temp = makeTempHome()
  const holding = holdSyncs()
  await using store = await openFileStore({ home: temp.home, storage: holding.storage })
  await using session = await store.create()
  await session.appendAll(Array.from({ length: 4096 }, () => user('x'.repeat(80))))
  // The columns are about to be saved.
  holding.isHeld = true
  await setImmediate()
  const appended = session.append(user('ours')).then(
    () => 'acknowledged',
    () => 'refused',
  )
  await setImmediate()
  const [first, ...later] = holding.held.splice(0)
  first!.reject(lost())
  for (const sync of later) sync.resolve()
  holding.isHeld = false
  expect(await appended).toBe('refused')
})
