import { describe, expect, test } from 'vitest'
import { createMemoryStorage } from '../storage/memory-storage.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { createFaultyStorage } from './faulty-storage.ts'
import { type CallKind, type Fault, FaultPlan, type Outcome } from './faulty-storage-plan.ts'

const PATH = '/home/a.jsonl'
const bytes = (text: string) => Buffer.from(text)

/** A folder with one file; the fault counts from then on. */
function setUp(fault?: Fault) {
  const inner = createMemoryStorage()
  const plan = new FaultPlan()
  const storage = createFaultyStorage(inner, plan)
  storage.ensureDirSync('/home')
  storage.ensureDirSync('/home/empty')
  storage.writeTextSync(PATH, 'old')
  if (fault) plan.arm(fault)
  return { inner, plan, storage }
}

const error = (code: string): Outcome => ({ type: 'error', code })

const attempts: Record<CallKind, (storage: SessionStorage) => unknown> = {
  open: (storage) => storage.openWriter('/home/new', { flags: 'wx' }),
  read: (storage) => storage.openReader(PATH).readSync(new Uint8Array(1), 0),
  write: (storage) => storage.openWriter(PATH, { flags: 'a' }).writeSync(bytes('x')),
  truncate: (storage) => storage.openWriter(PATH, { flags: 'a' }).truncateSync(0),
  datasync: (storage) => storage.openReader(PATH).datasync(),
  fsync: (storage) => storage.openWriter(PATH, { flags: 'a' }).fsync(),
  stat: (storage) => storage.statSync(PATH),
  list: (storage) => storage.listFilesSync('/home', '*'),
  mkdir: (storage) => storage.ensureDirSync('/home/dir'),
  rename: (storage) => storage.rename(PATH, '/home/renamed'),
  unlink: (storage) => storage.unlink(PATH),
  rmdir: (storage) => storage.removeDir('/home/empty'),
  touch: (storage) => storage.touch(PATH),
  syncDir: (storage) => storage.syncDir('/home'),
}

/** What of the attempts above can be seen. */
async function look(inner: SessionStorage): Promise<unknown> {
  const files = inner.listFilesSync('/home', '*')
  return {
    files,
    dirs: inner.listDirsSync('/home'),
    texts: await Promise.all(files.map((file) => inner.readText(file))),
  }
}

const kinds = Object.keys(attempts) as CallKind[]
const changing: readonly CallKind[] = ['open', 'write', 'truncate', 'mkdir', 'rename', 'unlink', 'rmdir']

describe.each(kinds)('%s', (kind) => {
  const attempt = async (storage: SessionStorage) => attempts[kind](storage)

  test('fails with the given code before anything happened, once', async () => {
    const { inner, plan, storage } = setUp({ nth: 1, kinds: [kind], outcome: error('EIO') })
    const before = await look(inner)
    await expect(attempt(storage)).rejects.toMatchObject({ code: 'EIO' })
    expect(await look(inner)).toEqual(before)
    expect(plan.hasStruck).toBe(true)
    await attempt(storage)
  })

  test('fails after it happened', async () => {
    const { inner, storage } = setUp({ nth: 1, kinds: [kind], outcome: { type: 'error-after', code: 'EIO' } })
    const before = await look(inner)
    await expect(attempt(storage)).rejects.toMatchObject({ code: 'EIO' })
    const after = await look(inner)
    if (changing.includes(kind)) expect(after).not.toEqual(before)
    else expect(after).toEqual(before)
  })

  test('fails from the n-th on until healed', async () => {
    const { plan, storage } = setUp({ nth: 1, kinds: [kind], outcome: error('EMFILE'), lasts: 'until-healed' })
    for (let n = 0; n < 3; n++) await expect(attempt(storage)).rejects.toMatchObject({ code: 'EMFILE' })
    plan.heal()
    await attempt(storage)
  })
})

test('R3 a short write is a full disk until healed; cutting back works meanwhile', () => {
  const { plan, storage } = setUp({ nth: 2, outcome: { type: 'short', bytes: 2 }, lasts: 'until-healed' })
  const writer = storage.openWriter(PATH, { flags: 'w' })
  expect(writer.writeSync(bytes('1234'))).toBe(4)
  expect(writer.writeSync(bytes('5678'))).toBe(2)
  expect(() => writer.writeSync(bytes('78'))).toThrow(expect.objectContaining({ code: 'ENOSPC' }))
  expect(writer.statSync().size).toBe(6)
  writer.truncateSync(4)
  plan.heal()
  expect(writer.writeSync(bytes('5678'))).toBe(4)
  writer.datasyncSync()
  expect(storage.statSync(PATH).size).toBe(8)
  expect(writer.getError()).toMatchObject({ code: 'ENOSPC' })
})

test('a line whose write comes out short is completed', async () => {
  const { storage, inner } = setUp({ nth: 1, outcome: { type: 'short', bytes: 2 } })
  const writer = storage.openWriter(PATH, { flags: 'w' })
  await writer.writeLine('one line')
  expect(await inner.readText(PATH)).toBe('one line\n')
})

test('a line that cannot be completed throws; the first error stays, is told once and ends the queue', async () => {
  const { storage, plan, inner } = setUp({ nth: 1, outcome: { type: 'short', bytes: 2 }, lasts: 'until-healed' })
  const told: Error[] = []
  const writer = storage.openWriter(PATH, { flags: 'w', onError: (error) => told.push(error) })
  const queued = [writer.writeLine('one'), writer.writeLine('two'), writer.flush(), writer.fsync()]
  const results = await Promise.allSettled(queued)
  expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
  plan.heal()
  await expect(writer.writeLine('three')).rejects.toBe(writer.getError())
  expect(told).toEqual([writer.getError()])
  expect(writer.getError()).toMatchObject({ code: 'ENOSPC' })
  await writer.close()
  expect(await inner.readText(PATH)).toBe('on')
})

test('D5 after a failed sync no later sync or write through that handle succeeds, in a new one it does', async () => {
  const { storage, plan } = setUp({ nth: 1, kinds: ['datasync'], outcome: error('EIO') })
  const writer = storage.openWriter(PATH, { flags: 'a' })
  await expect(writer.datasync()).rejects.toMatchObject({ code: 'EIO' })
  plan.heal()
  await expect(writer.datasync()).rejects.toMatchObject({ code: 'EIO' })
  await expect(writer.fsync()).rejects.toMatchObject({ code: 'EIO' })
  expect(() => writer.datasyncSync()).toThrow(expect.objectContaining({ code: 'EIO' }))
  expect(() => writer.writeSync(bytes('x'))).toThrow(expect.objectContaining({ code: 'EIO' }))
  await expect(writer.write([bytes('x')])).rejects.toMatchObject({ code: 'EIO' })
  expect(storage.statSync(PATH).size).toBe(3)
  await storage.openWriter(PATH, { flags: 'a' }).datasync()
})

test('D5 a sync under way beside one that fails does not succeed, for readers too', async () => {
  const { storage } = setUp({ nth: 1, kinds: ['datasync'], outcome: error('EIO') })
  const reader = storage.openReader(PATH)
  const results = await Promise.allSettled([reader.datasync(), reader.datasync()])
  expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected'])
})

test('a failed read does not end a writer', async () => {
  const { storage } = setUp({ nth: 1, kinds: ['read'], outcome: error('EIO') })
  const writer = storage.openWriter(PATH, { flags: 'a' })
  await expect(writer.read(new Uint8Array(3), 0)).rejects.toMatchObject({ code: 'EIO' })
  await writer.writeLine('x')
  expect(writer.getError()).toBeUndefined()
})

describe('replacing a text', () => {
  const steps = ['open', 'write', 'datasync', 'rename', 'syncDir'] as const

  test('counts every step', async () => {
    const { plan, storage } = setUp()
    plan.calls.length = 0
    storage.writeTextSync(PATH, 'new')
    await storage.writeText(PATH, 'new')
    expect(plan.calls.map((call) => call.kind)).toEqual([...steps, ...steps])
  })

  test.each(steps)('that fails at %s shows the old text or the new, whole', async (kind) => {
    const { inner, storage, plan } = setUp({ nth: 1, kinds: [kind], outcome: error('ENOSPC') })
    const expected = kind === 'syncDir' ? 'new' : 'old'
    expect(() => storage.writeTextSync(PATH, 'new')).toThrow(expect.objectContaining({ code: 'ENOSPC' }))
    expect(await inner.readText(PATH)).toBe(expected)
    plan.arm({ nth: 1, kinds: [kind], outcome: error('ENOSPC') })
    await expect(storage.writeText(PATH, 'new')).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(await inner.readText(PATH)).toBe(expected)
  })

  test('goes on after a short write', async () => {
    const { inner, storage, plan } = setUp({ nth: 1, outcome: { type: 'short', bytes: 1 } })
    storage.writeTextSync(PATH, 'new')
    expect(await inner.readText(PATH)).toBe('new')
    expect(plan.hasStruck).toBe(true)
  })
})

test('a run without a fault tells how many calls there are, and each of them can be made to fail', async () => {
  async function work(storage: SessionStorage): Promise<void> {
    storage.ensureDirSync('/home/x')
    const writer = storage.openWriter('/home/x/f', { flags: 'a' })
    await writer.writeLine('one')
    await writer.fsync()
    await writer.close()
    await storage.syncDir('/home/x')
    await storage.rename('/home/x/f', '/home/f')
    await storage.unlink('/home/f')
  }
  const dry = setUp({ nth: Number.POSITIVE_INFINITY, outcome: error('EIO') })
  const before = dry.plan.calls.length
  await work(dry.storage)
  const calls = dry.plan.calls.slice(before)
  const expected = 'stat mkdir syncDir open write fsync syncDir rename syncDir syncDir unlink'
  expect(calls.map((call) => call.kind).join(' ')).toBe(expected)
  for (let nth = 1; nth <= calls.length; nth++) {
    const { storage, plan } = setUp({ nth, outcome: error('EIO') })
    await expect(work(storage)).rejects.toMatchObject({ code: 'EIO' })
    expect(plan.calls.at(-1)).toEqual(calls[nth - 1])
  }
})
