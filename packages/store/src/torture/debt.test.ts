import { setImmediate } from 'node:timers/promises'
import { type EntryDraft, encodeLine } from '@treeline/core'
import { expect, test } from 'vitest'
import { encodeSlot, makeSlot } from '../log/title-slot.ts'
import { openMemoryStore } from '../memory-store.ts'
import type { Session } from '../session/session.ts'
import { errnoError } from '../storage/errno.ts'
import type { SessionStorage, StorageReader } from '../storage/storage.ts'
import { createCrashStorage } from '../testing/crash-storage.ts'
import { withLostPages } from './lost-pages.ts'
import { HOME, readAll, readBytes } from './place-log.ts'
import { sampleDraft } from './sample-entry.ts'

const NEW_ID = '0000000a'
const NEW = sampleDraft(NEW_ID, 50)
const LATER = sampleDraft('0000000b', 50)
const REFUSED = { code: 'internal' }

/** A disk of which each sync of a log ends, well or not, as the test says; whatever a failed one covered is lost. */
function fickleDisk() {
  const disk = createCrashStorage()
  const held: PromiseWithResolvers<void>[] = []
  const control = { isHeld: false, fails: false, failsAtOnce: false }
  const hold = <T extends StorageReader>(file: T, path: string): T => {
    const sync = file.datasync.bind(file)
    const datasync = async (): Promise<void> => {
      if (control.isHeld) {
        const turn = Promise.withResolvers<void>()
        held.push(turn)
        await turn.promise
      }
      if (control.fails) throw errnoError('EIO', 'fdatasync', path)
      return sync()
    }
    const atOnce = file.datasyncSync.bind(file)
    const datasyncSync = (): void => {
      if (control.failsAtOnce) throw errnoError('EIO', 'fdatasync', path)
      atOnce()
    }
    return path.endsWith('.jsonl') ? Object.assign(file, { datasync, datasyncSync }) : file
  }
  const pages = withLostPages({
    ...disk,
    openReader: (path) => hold(disk.openReader(path), path),
    openWriter: (path, options) => hold(disk.openWriter(path, options), path),
  })

  async function nextHeld(): Promise<PromiseWithResolvers<void>> {
    while (held.length === 0) await setImmediate()
    return held.shift()!
  }

  return Object.assign(control, {
    storage: pages.storage,
    nextHeld,
    afterCrash: () => idsAfterCrash(disk, pages.lose),
  })
}

async function idsAfterCrash(
  disk: ReturnType<typeof createCrashStorage>,
  lose: (raw: SessionStorage) => void = () => {},
): Promise<string[]> {
  const after = disk.crash(() => 0.999)
  lose(after)
  await using store = await openMemoryStore({ storage: after, home: HOME })
  return (await readAll(await store.open('s'))).map(({ id }) => id)
}

async function openOn(storage: SessionStorage) {
  const store = await openMemoryStore({ storage, home: HOME })
  const session = await store.create({ id: 's', cwd: '/work' })
  await session.append(sampleDraft('00000001', 50))
  return { store, session }
}

const lineOf = (id: string) =>
  encodeLine({ ...sampleDraft(id, 50), id, parentId: null, timestamp: '2026-01-15T10:00:00.000Z' })

function appendTo(storage: SessionStorage, path: string, lines: readonly Uint8Array[]): void {
  const file = storage.openWriter(path, { flags: 'a' })
  file.writeSync(Buffer.concat(lines))
  file.closeSync()
}

const told = (session: Session, draft: EntryDraft): Promise<unknown> =>
  session.append(draft).then(
    () => 'durable',
    (error) => error,
  )

test('D5 a sync that another log of the file in this process asked for fails: what it covered is refused, and written again', async () => {
  const disk = fickleDisk()
  const { store, session } = await openOn(disk.storage)
  await using _ = store
  const beside = await store.openPath(session.path, { acceptDamage: true })
  disk.isHeld = true
  const first = told(beside, NEW)
  const fails = await disk.nextHeld()
  const second = told(session, LATER)
  disk.isHeld = false
  fails.reject(errnoError('EIO', 'fdatasync', 's'))
  expect([await first, await second]).toMatchObject([REFUSED, REFUSED])
  expect([await told(beside, NEW), await told(session, LATER)]).toEqual(['durable', 'durable'])
  expect(await disk.afterCrash()).toEqual(expect.arrayContaining([NEW.id, LATER.id]))
})

test('D5 a look and an append wait for one sync after the other, and when the first fails both lines are owed', async () => {
  const disk = fickleDisk()
  const { store: before, session: made } = await openOn(disk.storage)
  const { path } = made
  await before.close()
  await using store = await openMemoryStore({ storage: disk.storage, home: HOME })
  const session = await store.open('s')
  appendTo(disk.storage, path, [lineOf('other')])
  disk.isHeld = true
  const looked = session.refresh().catch((error) => error)
  const fails = await disk.nextHeld()
  const appended = told(session, NEW)
  await setImmediate()
  disk.isHeld = false
  fails.reject(errnoError('EIO', 'fdatasync', 's'))
  expect([await looked, await appended]).toMatchObject([REFUSED, REFUSED])
  expect(await told(session, LATER)).toBe('durable')
  const linesWith = (id: string) =>
    Buffer.from(readBytes(disk.storage, path)).toString().split(`"id":"${id}"`).length - 1
  expect([linesWith(NEW_ID), linesWith(LATER.id!)]).toEqual([2, 1])
  expect(await disk.afterCrash()).toEqual(expect.arrayContaining([NEW_ID, LATER.id]))
})

test('D5 a title slot that cannot be synced: what was being synced beside it is owed', async () => {
  const disk = fickleDisk()
  const path = '/omp/s.jsonl'
  disk.storage.ensureDirSync('/omp')
  const slot = encodeSlot(makeSlot('theirs', '2026-01-15T10:00:00.000Z'))
  const header = { type: 'session', version: 3, id: 's', timestamp: '2026-01-15T10:00:00.000Z', cwd: '/work' }
  appendTo(disk.storage, path, [slot, Buffer.from(`${JSON.stringify(header)}\n`), lineOf('00000001')])
  await using store = await openMemoryStore({ storage: disk.storage, home: HOME })
  const session = await store.openPath(path, { inPlace: true })
  await session.refresh()
  disk.isHeld = true
  const renamed = session.rename('ours').catch((error) => error)
  const nameIsSynced = await disk.nextHeld()
  disk.failsAtOnce = true
  const appended = told(session, NEW)
  nameIsSynced.resolve()
  const synced = await disk.nextHeld()
  expect(await renamed).toMatchObject(REFUSED)
  disk.isHeld = false
  disk.failsAtOnce = false
  synced.resolve()
  expect(await appended).toMatchObject(REFUSED)
  expect(await told(session, NEW)).toBe('durable')
  const linesWith = Buffer.from(readBytes(disk.storage, path)).toString().split(`"id":"${NEW_ID}"`).length - 1
  expect(linesWith).toBe(2)
})

test('D5 a store that promises less does not take over what another owes', async () => {
  const disk = fickleDisk()
  const { store, session } = await openOn(disk.storage)
  await using _ = store
  await using lax = await openMemoryStore({ storage: disk.storage, home: HOME, durability: 'written' })
  disk.fails = true
  expect(await told(session, NEW)).toMatchObject(REFUSED)
  expect(await told(await lax.open('s'), sampleDraft('0000000c', 50))).toBe('durable')
  expect(await told(session, LATER)).toMatchObject(REFUSED)
  disk.fails = false
  expect(await told(session, NEW)).toBe('durable')
  expect(await disk.afterCrash()).toContain(NEW_ID)
})

test('D5 a log that is closed while it writes again what it owes, and fails: whoever opened it meanwhile owes it too', async () => {
  const disk = fickleDisk()
  const { store, session } = await openOn(disk.storage)
  await using _ = store
  disk.fails = true
  expect(await told(session, NEW)).toMatchObject(REFUSED)
  disk.isHeld = true
  const closed = session.close()
  const ends = await disk.nextHeld()
  disk.isHeld = false
  const opened = store.open('s')
  ends.resolve()
  await closed
  const again = await opened
  disk.fails = false
  expect(await told(again, NEW)).toBe('durable')
  expect(await disk.afterCrash()).toContain(NEW.id)
})

test.each(['closed', 'open'])(
  'I2 a file that another tool wrote anew does not get the lines that the one before it owed (log %s)',
  async (state) => {
    const disk = fickleDisk()
    const { store, session } = await openOn(disk.storage)
    await using _ = store
    const { path } = session
    disk.fails = true
    expect(await told(session, NEW)).toMatchObject(REFUSED)
    if (state === 'closed') await session.close()
    disk.fails = false
    const whole = readBytes(disk.storage, path)
    const others = ['x1', 'x2', 'x3', 'x4', 'x5']
    const tool = disk.storage.openWriter(path, { flags: 'w' })
    tool.writeSync(Buffer.concat([whole.subarray(0, whole.indexOf(0x0a) + 1), ...others.map(lineOf)]))
    tool.closeSync()
    const again = state === 'closed' ? await store.open('s') : session
    await again.append(LATER)
    expect((await readAll(again)).map(({ id }) => id)).toEqual([...others, LATER.id])
  },
)

test('C1 a session that is opened while what it owes is not tried again shows what others wrote meanwhile', async () => {
  const disk = fickleDisk()
  const { store, session } = await openOn(disk.storage)
  await using _ = store
  disk.fails = true
  for (let i = 0; i < 2; i++) expect(await told(session, NEW)).toMatchObject(REFUSED)
  appendTo(disk.storage, session.path, [lineOf('other')])
  expect((await readAll(await store.open('s'))).map(({ id }) => id)).toContain('other')
})

test('R3 who only reads keeps nobody from writing what is owed, and is not refused for it', async () => {
  const disk = fickleDisk()
  const { store, session } = await openOn(disk.storage)
  await using _ = store
  disk.fails = true
  expect(await told(session, NEW)).toMatchObject(REFUSED)
  for (let i = 0; i < 3; i++) {
    const reading = await store.openPath(session.path, { readOnly: true })
    await reading.refresh()
    await reading.close()
  }
  disk.fails = false
  await (await store.open('s')).refresh()
  expect(await disk.afterCrash()).toContain(NEW_ID)
})

test('R3 a session is opened once more while what it owes cannot be made durable', async () => {
  const disk = fickleDisk()
  const { store, session } = await openOn(disk.storage)
  await using _ = store
  disk.fails = true
  expect(await told(session, NEW)).toMatchObject(REFUSED)
  for (let i = 0; i < 2; i++) {
    const again = await store.open('s')
    expect((await readAll(again)).map(({ id }) => id)).toContain('00000001')
  }
  disk.fails = false
  expect(await told(await store.open('s'), NEW)).toBe('durable')
  expect(await disk.afterCrash()).toContain(NEW.id)
})

test('D1 what one log synced and another writer took back does not make durable what another log writes there', async () => {
  const disk = createCrashStorage()
  await using store = await openMemoryStore({ storage: disk, home: HOME })
  const looking = await store.create({ id: 's', cwd: '/work' })
  await looking.append(sampleDraft('00000001', 50))
  const { path } = looking
  const writing = await store.openPath(path, { acceptDamage: true })
  const { size } = disk.statSync(path)
  appendTo(disk, path, [lineOf('taken back').subarray(0, 100)])
  await looking.refresh()
  const other = disk.openWriter(path, { flags: 'a' })
  other.truncateSync(size)
  other.closeSync()
  await writing.append(NEW)
  expect(await idsAfterCrash(disk)).toContain(NEW_ID)
})

test('D1 a file that another tool wrote anew, and somebody opens while it is still open as it was', async () => {
  const disk = createCrashStorage()
  await using store = await openMemoryStore({ storage: disk, home: HOME })
  const session = await store.create({ id: 's', cwd: '/work' })
  const { path } = session
  await session.append(sampleDraft('00000001', 3000))
  const whole = readBytes(disk, path)
  const tool = disk.openWriter(path, { flags: 'w' })
  tool.writeSync(Buffer.concat([whole.subarray(0, whole.indexOf(0x0a) + 1), lineOf('x1')]))
  tool.datasyncSync()
  tool.closeSync()
  await using later = await openMemoryStore({ storage: disk, home: HOME })
  await (await later.open('s')).append(NEW)
  expect(await idsAfterCrash(disk)).toContain(NEW_ID)
})

test('W5 who only reads is told of nothing that is owed, also when they open it then', async () => {
  const disk = fickleDisk()
  const { store, session } = await openOn(disk.storage)
  await using _ = store
  disk.fails = true
  expect(await told(session, NEW)).toMatchObject(REFUSED)
  await using reading = await store.openPath(session.path, { readOnly: true })
  const ending = new AbortController()
  const heard: string[] = []
  const following = (async () => {
    for await (const event of reading.follow({ afterSeq: 0, signal: ending.signal })) heard.push(JSON.stringify(event))
  })().catch(() => {})
  for (let turn = 0; turn < 50; turn++) await setImmediate()
  ending.abort()
  await following
  expect(heard.join()).toContain('00000001')
  expect(heard.join()).not.toContain(NEW_ID)
})
