import { dirname } from 'node:path'
import { encodeLine } from '@treeline/core'
import { expect, test } from 'vitest'
import { openMemoryStore } from '../memory-store.ts'
import type { Session } from '../session/session.ts'
import { createMemoryStorage } from '../storage/memory-storage.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { writeAll } from '../storage/write-all.ts'
import { createCrashStorage } from '../testing/crash-storage.ts'
import { createFaultyStorage } from '../testing/faulty-storage.ts'
import { FaultPlan } from '../testing/faulty-storage-plan.ts'
import { withLostPages } from './lost-pages.ts'
import { HOME, LOG_PATH, placeLog, readAll, readBytes, withSession } from './place-log.ts'
import { sampleDraft } from './sample-entry.ts'
import { makeSampleLog } from './sample-log.ts'

const NEW = sampleDraft('0000000a', 50)
const LATER = sampleDraft('0000000b', 50)

function write(storage: SessionStorage, flags: 'a' | 'w', bytes: Uint8Array): void {
  const file = storage.openWriter(LOG_PATH, { flags })
  file.writeSync(bytes)
  file.closeSync()
}

test('I3, C1 a log that another tool emptied and wrote anew, longer than before, is read anew', async () => {
  const [before, after] = [await makeSampleLog(1, 2), await makeSampleLog(2, 4)]
  const storage = placeLog(before.bytes)
  await withSession(storage, async (session) => {
    write(storage, 'w', after.bytes)
    await session.refresh()
    expect(await readAll(session)).toEqual(after.lines.flatMap(({ entry }) => entry ?? []))
    await session.append(NEW)
  })
  const entries = await withSession(storage, readAll)
  expect(entries.map(({ id }) => id)).toEqual([...after.lines.flatMap(({ entry }) => entry?.id ?? []), NEW.id])
})

test('I3, I6 a record glued behind another, of which the beginning was seen first, is read once the rest has come', async () => {
  const first = { ...NEW, parentId: null, timestamp: '2026-01-15T10:00:00.000Z' }
  const entries = ['e1', 'e2', 'e3'].map((id, i) => ({ ...first, id, parentId: i === 0 ? null : `e${i}` }))
  const [one, two, three] = entries.map((entry) => JSON.stringify(entry)) as [string, string, string]
  const { bytes } = await makeSampleLog(1, 0)
  const storage = placeLog(Buffer.concat([bytes, Buffer.from(`${one}${two.slice(0, 60)}`)]))
  const found = (session: Session) => [session.tree.rowCount, session.access, session.report().skipped]
  await withSession(storage, async (session) => {
    expect(session.tree.rowCount).toBe(1)
    write(storage, 'a', Buffer.from(`${two.slice(60)}\n${three}\n`))
    await session.refresh()
    expect(found(session)).toEqual([3, { mode: 'write' }, []])
  })
  await withSession(storage, async (session) => expect(found(session)).toEqual([3, { mode: 'write' }, []]))
})

test('R3 a log that was seen empty while another tool wrote it anew goes on', async () => {
  const { bytes, lines } = await makeSampleLog(1, 2)
  const storage = placeLog(bytes)
  await withSession(storage, async (session) => {
    write(storage, 'w', new Uint8Array())
    await expect(session.append(NEW)).rejects.toMatchObject({ code: 'session_locked' })
    write(storage, 'a', bytes)
    await session.append(NEW)
    expect((await readAll(session)).map(({ id }) => id)).toEqual([
      ...lines.flatMap(({ entry }) => entry?.id ?? []),
      NEW.id,
    ])
  })
})

test('R3 a log that was opened before its header was there goes on when it is', async () => {
  const { bytes } = await makeSampleLog(1, 2)
  const storage = placeLog(new Uint8Array())
  await withSession(storage, async (session) => {
    expect(session.access).toEqual({ mode: 'read', reason: 'no_header' })
    write(storage, 'a', bytes)
    await session.append(NEW)
    expect([session.access, session.id]).toEqual([{ mode: 'write' }, 'sample'])
    const entries = await readAll(session)
    expect(entries).toEqual(await withSession(storage, readAll))
    expect(entries.at(-1)?.id).toBe(NEW.id)
  })
})

test('R3 an append looks again at a log that was found damaged: somebody may have mended it', async () => {
  const { bytes } = await makeSampleLog(1, 3)
  const storage = placeLog(Buffer.concat([bytes, Buffer.from('{"no entry"}\n')]))
  await withSession(storage, async (session) => {
    await expect(session.append(NEW)).rejects.toMatchObject({ code: 'session_locked' })
    expect(session.access).toEqual({ mode: 'read', reason: 'damaged' })
    write(storage, 'w', bytes)
    await session.append(NEW)
    expect(session.access).toEqual({ mode: 'write' })
  })
})

test('C1 what is meant for one session is not said in another that was put in its place, and goes on when it is back', async () => {
  const mine = await makeSampleLog(1, 2)
  const theirs = Buffer.from(mine.bytes).toString('latin1').replace('"id":"sample"', '"id":"theirs"')
  expect(theirs).toContain('"id":"theirs"')
  const other = Buffer.from(theirs, 'latin1')
  const storage = placeLog(mine.bytes)
  const away = `${LOG_PATH}.away`
  await withSession(storage, async (session) => {
    const before = await readAll(session)
    const follower = session.follow()
    const told = follower.next()
    storage.renameSync(LOG_PATH, away)
    write(storage, 'a', other)
    const refused = { code: 'session_not_found', message: expect.stringContaining('theirs') }
    for (let tries = 0; tries < 3; tries++) await expect(session.append(NEW)).rejects.toMatchObject(refused)
    await expect(session.refresh()).rejects.toMatchObject(refused)
    await expect(session.rename('mine')).rejects.toMatchObject(refused)
    await expect(told).rejects.toMatchObject({ code: 'session_not_found' })
    expect(session.id).toBe('sample')
    expect(await readAll(session)).toEqual(before)
    expect(Buffer.from(readBytes(storage)).equals(other)).toBe(true)
    storage.renameSync(away, LOG_PATH)
    await session.append(NEW)
    expect((await readAll(session)).map(({ id }) => id)).toEqual([...before.map(({ id }) => id), NEW.id])
  })
})

test('C1 a line that another tool appends just before our write moves nothing', async () => {
  const log = await makeSampleLog(1, 2)
  const storage = placeLog(log.bytes)
  const foreign = encodeLine({ ...NEW, id: 'foreign', parentId: null, timestamp: '2026-01-01T00:00:00.000Z' })
  let isDue = true
  const racing: SessionStorage = {
    ...storage,
    // Opening to write comes after catching up: the last moment at which another may append unseen.
    openWriter(path, options) {
      if (isDue && path === LOG_PATH) {
        isDue = false
        write(storage, 'a', foreign)
      }
      return storage.openWriter(path, options)
    },
  }
  const later = sampleDraft('0000000b', 50)
  await withSession(racing, async (session) => {
    await session.append(NEW)
    await session.append(later)
    expect((await readAll(session)).slice(-3).map(({ id }) => id)).toEqual(['foreign', NEW.id, later.id])
    expect(session.report()).toMatchObject({ skipped: [], unreadable: [], tornAt: undefined })
  })
})

test('D3, D4 a batch of which a crash left the beginning is completed by a retry, as the chain it is', async () => {
  const drafts = ['00000001', '00000002', '00000003'].map((id) => sampleDraft(id, 100))
  const log = await makeSampleLog(1, 2)
  const first = log.lines.find(({ entry }) => entry?.type === 'message')!.entry!.id
  const storage = placeLog(log.bytes)
  await withSession(storage, (session) => session.appendAll(drafts, { parentId: first }))
  const whole = readBytes(storage)
  for (let cut = log.bytes.length; cut < whole.length; cut += 3) {
    const torn = placeLog(whole.slice(0, cut))
    const entries = await withSession(torn, (session) => session.appendAll(drafts, { parentId: first }))
    expect(entries.map(({ parentId }) => parentId)).toEqual([first, '00000001', '00000002'])
    const found = await withSession(torn, readAll)
    expect(found.slice(-3)).toEqual(entries)
  }
})

test('D5 an entry whose sync failed is not taken for durable by a retry, also not by a session opened later', async () => {
  for (const reopens of ['never', 'mended', 'while failing']) {
    const disk = createCrashStorage()
    const plan = new FaultPlan()
    const pages = withLostPages(createFaultyStorage(disk, plan))
    await using store = await openMemoryStore({ storage: pages.storage, home: HOME })
    let session = await store.create({ id: 's', cwd: '/work' })
    plan.arm({ nth: 1, kinds: ['datasync'], outcome: { type: 'error', code: 'EIO' }, lasts: 'until-healed' })
    await expect(session.append(NEW)).rejects.toMatchObject({ code: 'internal' })
    if (reopens !== 'while failing') plan.heal()
    if (reopens !== 'never') {
      await session.close()
      session = await store.open('s')
    }
    plan.heal()
    // Whichever look fails on the way to it: it is still owed.
    for (const nth of [1, 2, 2, 3]) {
      plan.arm({ nth, kinds: ['read'], outcome: { type: 'error', code: 'EIO' } })
      await session.append(NEW).catch((error) => expect(error).toMatchObject({ code: 'internal' }))
    }
    plan.heal()
    await session.append(NEW)
    const after = disk.crash(() => 0.999)
    pages.lose(after)
    await using later = await openMemoryStore({ storage: after, home: HOME })
    const found = await readAll(await later.open('s'))
    expect(found.map(({ id }) => id)).toContain(NEW.id)
  }
})

test('I4 a log that is moved away just before its first append is not made again, and what was read of it stays', async () => {
  const real = createMemoryStorage()
  let isDue = false
  const openWriter: SessionStorage['openWriter'] = (path, options) => {
    if (isDue) real.renameSync(path, `${path}.moved`)
    isDue = false
    return real.openWriter(path, options)
  }
  await using first = await openMemoryStore({ storage: real, home: HOME })
  const { path } = await first.create({ id: 's', cwd: '/work' })
  await (await first.open('s')).append(NEW)
  await using store = await openMemoryStore({ storage: { ...real, openWriter }, home: HOME })
  const session = await store.open('s')
  isDue = true
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(session.append(LATER)).rejects.toMatchObject({ code: 'session_not_found' })
    expect([isDue, real.existsSync(path), session.tree.rowCount]).toEqual([false, false, 1])
  }
  real.renameSync(`${path}.moved`, path)
  await session.append(LATER)
  expect((await readAll(session)).map(({ id }) => id)).toEqual([NEW.id, LATER.id])
})

test('W5 an entry whose sync failed is not told of before it is durable', async () => {
  const disk = createCrashStorage()
  const plan = new FaultPlan()
  const pages = withLostPages(createFaultyStorage(disk, plan))
  await using store = await openMemoryStore({ storage: pages.storage, home: HOME })
  await using session = await store.create({ id: 's', cwd: '/work' })
  const followed = session.follow()
  const told = followed.next()
  plan.arm({ nth: 1, kinds: ['datasync'], outcome: { type: 'error', code: 'EIO' } })
  await expect(session.append(NEW)).rejects.toMatchObject({ code: 'internal' })
  plan.heal()
  await session.refresh()
  await told
  const after = disk.crash(() => 0.999)
  pages.lose(after)
  await using later = await openMemoryStore({ storage: after, home: HOME })
  expect((await readAll(await later.open('s'))).map(({ id }) => id)).toContain(NEW.id)
  await followed.return(undefined)
})

test('D1 an entry is durable with its file, also when whoever made the file died before syncing the folder', async () => {
  const log = await makeSampleLog(1, 1)
  const disk = createCrashStorage()
  disk.ensureDirSync(dirname(LOG_PATH))
  const file = disk.openWriter(LOG_PATH, { flags: 'wx' })
  file.writeSync(log.bytes)
  file.datasyncSync()
  await withSession(disk, (session) => session.append(NEW))
  const found = await withSession(
    disk.crash(() => 0.999),
    readAll,
  )
  expect(found.at(-1)).toMatchObject(NEW)
})

test('D3 a retry that says something else is refused, also after a failed sync', async () => {
  const plan = new FaultPlan()
  const storage = createFaultyStorage(createCrashStorage(), plan)
  await using store = await openMemoryStore({ storage, home: HOME })
  await using session = await store.create({ cwd: '/work' })
  plan.arm({ nth: 1, kinds: ['datasync'], outcome: { type: 'error', code: 'EIO' } })
  await expect(session.append(NEW)).rejects.toMatchObject({ code: 'internal' })
  plan.heal()
  await expect(session.append(sampleDraft('0000000a', 60))).rejects.toMatchObject({ code: 'id_in_use' })
  await session.append(NEW)
})

test('I3 a line that is being read when the log is replaced is of one log, not of two', async () => {
  const storage = createMemoryStorage()
  const long = (id: string) =>
    Array.from({ length: 600 }, (_, i) => sampleDraft(`${id}${String(i).padStart(7, '0')}`, 50))
  await using store = await openMemoryStore({ storage })
  const elsewhere = createMemoryStorage()
  await using other = await openMemoryStore({ storage: elsewhere })
  const [one, again] = [await store.create({ id: 'one' }), await other.create({ id: 'one' })]
  await one.appendAll(long('a'))
  await again.appendAll(long('b'))
  const beside = `${one.path}.beside`
  writeAll(storage.openWriter(beside, { flags: 'wx' }), readBytes(elsewhere, again.path))
  const line = one.line()
  await storage.rename(beside, one.path)
  await one.refresh()
  const ids = (await line).messages.flatMap(({ nodeIds }) => nodeIds)
  expect([ids.length, new Set(ids.map((id) => id[0])).size]).toEqual([600, 1])
  expect((await one.line()).messages.flatMap(({ nodeIds }) => nodeIds)[0]).toBe('b0000000')
})

test('R3 what a full disk refused is not shown', async () => {
  const plan = new FaultPlan()
  await using store = await openMemoryStore({ storage: createFaultyStorage(createMemoryStorage(), plan) })
  const session = await store.create({ id: 'full' })
  await session.append(sampleDraft('0000000c', 50))
  plan.arm({ nth: 1, kinds: ['write'], outcome: { type: 'error', code: 'ENOSPC' }, lasts: 'until-healed' })
  await expect(session.append(NEW)).rejects.toMatchObject({ code: 'storage_full' })
  expect([session.leafId, session.tree.rowCount]).toEqual(['0000000c', 1])
  expect((await session.line()).nodes).toEqual([{ nodeId: '0000000c', in: true }])
  expect(session.report().unreadable).toEqual([])
  plan.heal()
  await session.append(NEW)
  expect(session.leafId).toBe(NEW.id)
})

test('I6 columns are not saved of a log into which another tool wrote at the same time', async () => {
  const storage = createMemoryStorage()
  const foreign = encodeLine({ ...NEW, id: 'foreign', parentId: null, timestamp: '2026-01-01T00:00:00.000Z' })
  let isDue = false
  const racing: SessionStorage = {
    ...storage,
    openWriter(path, options) {
      const file = storage.openWriter(path, options)
      const write = file.writeSync.bind(file)
      file.writeSync = (bytes) => {
        if (isDue && path.endsWith('.jsonl')) {
          isDue = false
          write(foreign)
        }
        return write(bytes)
      }
      return file
    },
  }
  const store = await openMemoryStore({ storage: racing })
  const session = await store.create({ id: 'raced' })
  // Long enough for columns to be saved at all.
  await session.appendAll(Array.from({ length: 400 }, (_, i) => sampleDraft(String(i).padStart(8, '0'), 1000)))
  isDue = true
  await session.append(NEW)
  await store.close()

  const warm = await openMemoryStore({ storage })
  const entries = await readAll(await warm.open('raced'))
  expect(entries.slice(-2).map(({ id }) => id)).toEqual(['foreign', NEW.id])
  expect(entries.length).toBe(402)
  await warm.close()
})
