import { setImmediate } from 'node:timers/promises'
import { type EntryDraft, encodeLine } from '@treeline/core'
import { expect, test } from 'vitest'
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
  const control = { isHeld: false, fails: false }
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
    return path.endsWith('.jsonl') ? Object.assign(file, { datasync }) : file
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

  async function afterCrash(): Promise<string[]> {
    const after = disk.crash(() => 0.999)
    pages.lose(after)
    await using store = await openMemoryStore({ storage: after, home: HOME })
    return (await readAll(await store.open('s'))).map(({ id }) => id)
  }

  return Object.assign(control, {
    storage: pages.storage,
    nextHeld,
    failHeld: async () => (await nextHeld()).reject(errnoError('EIO', 'fdatasync', 's')),
    afterCrash,
  })
}

async function openOn(storage: SessionStorage) {
  const store = await openMemoryStore({ storage, home: HOME })
  const session = await store.create({ id: 's', cwd: '/work' })
  await session.append(sampleDraft('00000001', 50))
  return { store, session }
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
  const ends = await disk.nextHeld()
  const second = told(session, LATER)
  await disk.failHeld()
  expect(await second).toMatchObject(REFUSED)
  disk.isHeld = false
  ends.resolve()
  expect(await first).toMatchObject(REFUSED)
  expect([await told(beside, NEW), await told(session, LATER)]).toEqual(['durable', 'durable'])
  expect(await disk.afterCrash()).toEqual(expect.arrayContaining([NEW.id, LATER.id]))
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

test('D5 a line of a writer that was killed, which our failed sync may have lost, is written once more by a retry', async () => {
  const disk = fickleDisk()
  const { store, session } = await openOn(disk.storage)
  await using _ = store
  const line = encodeLine({ ...NEW, id: NEW_ID, parentId: null, timestamp: '2026-01-15T10:00:00.000Z' })
  const killed = disk.storage.openWriter(session.path, { flags: 'a' })
  killed.writeSync(line)
  killed.closeSync()
  disk.fails = true
  expect(await told(session, LATER)).toMatchObject(REFUSED)
  disk.fails = false
  expect(await told(session, LATER)).toBe('durable')
  expect(await disk.afterCrash()).not.toContain(NEW.id)
  const refused = { code: 'id_in_use' }
  expect(await told(session, sampleDraft(NEW_ID, 60))).toMatchObject(refused)
  expect(await told(session, NEW)).toBe('durable')
  expect(await disk.afterCrash()).toEqual(expect.arrayContaining([NEW.id, LATER.id]))
  const linesWith = Buffer.from(readBytes(disk.storage, session.path)).toString().split(`"id":"${NEW.id}"`).length - 1
  expect(linesWith).toBe(2)
})

test('I2 a file that another tool wrote anew does not get the lines that the one before it owed', async () => {
  const disk = fickleDisk()
  const { store, session } = await openOn(disk.storage)
  await using _ = store
  const header = readBytes(disk.storage, session.path)
  const { path } = session
  disk.fails = true
  expect(await told(session, NEW)).toMatchObject(REFUSED)
  await session.close()
  disk.fails = false
  const others = ['x1', 'x2', 'x3', 'x4', 'x5'].map((id) =>
    encodeLine({ ...sampleDraft(id, 50), id, parentId: null, timestamp: '2026-01-15T10:00:00.000Z' }),
  )
  const tool = disk.storage.openWriter(path, { flags: 'w' })
  tool.writeSync(Buffer.concat([header.subarray(0, header.indexOf(0x0a) + 1), ...others]))
  tool.closeSync()
  const again = await store.open('s')
  await again.append(LATER)
  expect((await readAll(again)).map(({ id }) => id)).toEqual(['x1', 'x2', 'x3', 'x4', 'x5', LATER.id])
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
