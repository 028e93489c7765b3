import { createHash } from 'node:crypto'
import { appendFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { hashOf } from '../blobs/blob-ref.ts'
import { type Home, openHome, openMemoryHome } from '../home.ts'
import { readAudit } from '../house/audit.ts'
import { purgeTrash } from '../house/purge-trash.ts'
import { restoreFromTrash } from '../house/restore-from-trash.ts'
import { listTrash } from '../house/trash-item.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import { createMemoryStorage } from '../storage/memory-storage.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { runs } from '../testing/runs.ts'
import { makeSampleHome } from '../testing/sample-home.ts'
import { header, makeTempHome, message } from '../testing/temp-home.ts'
import { applyBlobCollection, planBlobCollection } from './collect-blobs.ts'

const BYTES = Buffer.from('some large thing')
const HASH = createHash('sha256').update(BYTES).digest('hex')
const LINE = `${JSON.stringify(message(`blob:sha256:${HASH}`, 'a1'))}\n`

afterEach(() => {
  vi.useRealTimers()
})

/** A blob stored long ago. */
async function putOld(home: Home, bytes: Uint8Array): Promise<string> {
  const hash = hashOf(await home.blobs.put(bytes))
  utimesSync(home.paths.blobFile(hash), 1, 1)
  return hash
}

/** A home with one old blob that nothing refers to, an empty log, and whatever the storage does in between. */
async function setUp(wrap: (real: SessionStorage) => Partial<SessionStorage> = () => ({})) {
  const temp = makeTempHome()
  const log = temp.plant('one', header('one'))
  const real = createFileStorage()
  const home = openHome({ home: temp.home, storage: { ...real, ...wrap(real) } })
  await putOld(openHome({ home: temp.home }), BYTES)
  const isThere = () => real.existsSync(home.paths.blobFile(HASH))
  return { temp, home, log, isThere, [Symbol.dispose]: () => temp[Symbol.dispose]() }
}

test('R1 what nothing refers to goes to the trash after a dry run, can be listed, restored and purged, and is audited', async () => {
  await using sample = await makeSampleHome()
  const { home, ids } = sample
  const used = home.storage.listFilesSync(home.paths.blobs, '*')
  for (const path of used) utimesSync(path, 1, 1)
  const hashes = [await putOld(home, BYTES), await putOld(home, Buffer.from('another'))].sort()
  const recent = hashOf(await home.blobs.put(Buffer.from('stored just now')))

  const plan = await planBlobCollection(home)
  expect(plan.unused.map(({ hash }) => hash).sort()).toEqual(hashes)
  expect(plan).toMatchObject({ sizeBytes: BYTES.length + 7, wanted: [], damaged: [], recentCount: 1 })
  expect(home.storage.listFilesSync(home.paths.blobs, '*')).toHaveLength(used.length + 3)

  const report = await applyBlobCollection(home, plan)
  expect(report).toMatchObject({ sizeBytes: BYTES.length + 7, kept: [], broughtBack: [] })
  expect([...report.moved].sort()).toEqual(hashes)
  expect(home.storage.listFilesSync(home.paths.blobs, '*')).toEqual([...used, home.paths.blobFile(recent)].sort())
  const [item] = await listTrash(home)
  expect(item).toMatchObject({ trashId: report.trashId, kind: 'blobs', sizeBytes: BYTES.length + 7 })
  expect((await readAudit(home))[0]).toMatchObject({ action: 'gc', trashId: report.trashId, count: 2 })

  await restoreFromTrash(home, report.trashId!)
  expect(await home.blobs.read(`blob:sha256:${HASH}`)).toEqual(new Uint8Array(BYTES))
  const { trashId } = await applyBlobCollection(home, await planBlobCollection(home))
  await purgeTrash(home, { trashId })
  expect((await listTrash(home)).map(({ sessionId }) => sessionId)).toEqual([ids.trashed])
})

test('originals of migrations, logs in the trash and answers under way keep their blobs', async () => {
  using given = await setUp()
  const { home, temp, log } = given
  const places = [
    `${log}.v2`,
    home.paths.partialFile('one', 'n1'),
    `${home.paths.trashItem('t1')}/sessions/--p--/x.jsonl`,
    `${home.paths.trashItem('t1')}/partial/one/n1`,
    temp.plant('damaged', 'garbage'),
  ]
  for (const path of places) {
    home.storage.ensureDirSync(dirname(path))
    writeFileSync(path, `x blob:sha256:${HASH}`)
    expect((await planBlobCollection(home)).unused).toEqual([])
    await home.storage.unlink(path)
    expect((await planBlobCollection(home)).unused).toHaveLength(1)
  }
})

test('a damaged blob is told of and stays', async () => {
  using given = await setUp()
  const path = given.home.paths.blobFile(HASH)
  writeFileSync(path, 'something else')
  utimesSync(path, 1, 1)
  const plan = await planBlobCollection(given.home)
  expect(plan).toMatchObject({ unused: [], damaged: [HASH] })
  expect(await applyBlobCollection(given.home, plan)).toMatchObject({ trashId: undefined, moved: [] })
  expect(given.isThere()).toBe(true)
})

test('a log that cannot be read stops it: what it refers to is not known', async () => {
  using given = await setUp((real) => ({
    openReader(path) {
      if (path.endsWith('.jsonl')) throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
      return real.openReader(path)
    },
  }))
  await expect(planBlobCollection(given.home)).rejects.toMatchObject({ code: 'forbidden' })
})

test.each([0, 0.5, -1, Number.NaN])('a grace of %d hours is refused', async (graceHours) => {
  using given = await setUp()
  await expect(planBlobCollection(given.home, { graceHours })).rejects.toMatchObject({ code: 'validation_failed' })
})

test('a blob that is stored again between plan and move stays', async () => {
  using given = await setUp()
  const plan = await planBlobCollection(given.home)
  await given.home.blobs.put(BYTES)
  expect(await applyBlobCollection(given.home, plan)).toMatchObject({ trashId: undefined, moved: [], kept: [HASH] })
  expect(given.isThere()).toBe(true)
})

test('a blob that is stored again right before it is moved comes back', async () => {
  let work: (() => Promise<unknown>) | undefined
  using given = await setUp((real) => ({
    async rename(from, to) {
      if (from.endsWith(HASH)) await work?.()
      return real.rename(from, to)
    },
  }))
  const plan = await planBlobCollection(given.home)
  work = () => {
    work = undefined
    return openHome({ home: given.temp.home }).blobs.put(BYTES)
  }
  expect(await applyBlobCollection(given.home, plan)).toMatchObject({ trashId: undefined, moved: [], kept: [HASH] })
  expect(given.isThere()).toBe(true)
  expect(await listTrash(given.home)).toEqual([])
})

test('a blob that is stored again right after it was moved is there', async () => {
  using given = await setUp((real) => ({
    async rename(from, to) {
      await real.rename(from, to)
      if (to.includes('/trash/')) await openHome({ home: from.replace(/\/blobs\/.*/, '') }).blobs.put(BYTES)
    },
  }))
  expect(await applyBlobCollection(given.home, await planBlobCollection(given.home))).toMatchObject({ moved: [HASH] })
  expect(given.isThere()).toBe(true)
})

test('a line that refers to a blob without storing it is seen before the move', async () => {
  using given = await setUp()
  const plan = await planBlobCollection(given.home)
  appendFileSync(given.log, LINE)
  expect(await applyBlobCollection(given.home, plan)).toMatchObject({ moved: [], kept: [HASH] })
  expect(given.isThere()).toBe(true)
})

test('a line that refers to a blob without storing it is seen after the move, in an old log and in a new one', async () => {
  for (const isNew of [false, true]) {
    let work: (() => void) | undefined
    using given = await setUp((real) => ({
      async rename(from, to) {
        work?.()
        return real.rename(from, to)
      },
    }))
    const plan = await planBlobCollection(given.home)
    work = () => {
      work = undefined
      if (isNew) given.temp.plant('two', header('two'), LINE)
      else appendFileSync(given.log, LINE)
    }
    expect(await applyBlobCollection(given.home, plan)).toMatchObject({ trashId: undefined, moved: [], kept: [HASH] })
    expect(given.isThere()).toBe(true)
  }
})

test('killed between the move and the second look, the next collection brings back what is wanted', async () => {
  using given = await setUp((real) => ({
    async rename(from, to) {
      await real.rename(from, to)
      throw new Error('killed')
    },
  }))
  await expect(applyBlobCollection(given.home, await planBlobCollection(given.home))).rejects.toThrow('killed')
  expect(given.isThere()).toBe(false)
  appendFileSync(given.log, LINE)
  const home = openHome({ home: given.temp.home })
  const plan = await planBlobCollection(home)
  expect(plan).toMatchObject({ unused: [], wanted: [{ hash: HASH }] })
  expect(await applyBlobCollection(home, plan)).toMatchObject({ broughtBack: [HASH], moved: [] })
  expect(given.isThere()).toBe(true)
})

test('whatever the order of steps of a writer and of a collection, a line never lacks its blob in the end', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const memory = createMemoryStorage()
      vi.setSystemTime(new Date(2026, 0, 1))
      const before = openMemoryHome({ storage: memory })
      await before.blobs.put(BYTES)
      before.storage.ensureDirSync(`${before.paths.sessions}/--p--`)
      const log = memory.openWriter(`${before.paths.sessions}/--p--/2026_one.jsonl`, { flags: 'wx' })
      vi.setSystemTime(new Date(2026, 0, 3))
      const collector = openMemoryHome({ storage: stepByStep(memory, scheduler, 'collector') })
      const writer = openMemoryHome({ storage: stepByStep(memory, scheduler, 'writer') })
      const collect = async () => {
        await scheduler.schedule(Promise.resolve(), 'plan')
        return applyBlobCollection(collector, await planBlobCollection(collector))
      }
      const write = async () => {
        await writer.blobs.put(BYTES)
        await scheduler.schedule(Promise.resolve(), 'line')
        vi.setSystemTime(new Date(2026, 0, 3, 0, 0, 1))
        log.writeSync(Buffer.from(LINE))
      }
      const both = Promise.all([collect(), write()])
      await scheduler.waitFor(both)
      const [{ moved, kept }] = await both
      seen.add(`${moved.length} ${kept.length}`)
      expect(memory.existsSync(before.paths.blobFile(HASH))).toBe(true)
    }),
    { numRuns: runs(150) },
  )
  // It was too new for the plan; stayed or came back; went to the trash and was written anew.
  expect([...seen].sort()).toEqual(['0 0', '0 1', '1 0'])
})

/** Every operation that may wait waits for its turn. */
function stepByStep(storage: SessionStorage, scheduler: fc.Scheduler, name: string): SessionStorage {
  const turn = () => scheduler.schedule(Promise.resolve(), name)
  return {
    ...storage,
    rename: (from, to) => turn().then(() => storage.rename(from, to)),
    touch: (path) => turn().then(() => storage.touch(path)),
    syncDir: (dir) => turn().then(() => storage.syncDir(dir)),
    writeText: (path, text) => turn().then(() => storage.writeText(path, text)),
    openReader(path) {
      const file = storage.openReader(path)
      return {
        statSync: () => file.statSync(),
        readSync: (into, position) => file.readSync(into, position),
        read: (into, position) => turn().then(() => file.read(into, position)),
        datasync: () => file.datasync(),
        datasyncSync: () => file.datasyncSync(),
        closeSync: () => file.closeSync(),
      }
    },
  }
}
