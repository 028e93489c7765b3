import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { homePaths } from '../paths.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import { createMemoryStorage } from '../storage/memory-storage.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { createCrashStorage, seededRandom } from '../testing/crash-storage.ts'
import { createFaultyStorage } from '../testing/faulty-storage.ts'
import { FaultPlan } from '../testing/faulty-storage-plan.ts'
import { type BlobRef, hashOf } from './blob-ref.ts'
import { createBlobStore } from './blob-store.ts'

const BYTES = randomBytes(5000)

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'treeline-blobs-'))
})
afterEach(() => rmSync(home, { recursive: true }))

function open(storage: SessionStorage) {
  return createBlobStore({ storage, paths: homePaths(home) })
}

function namesIn(storage: SessionStorage): string[] {
  return storage.listFilesSync(homePaths(home).blobs, '*').map((path) => basename(path))
}

describe.each([
  ['file', createFileStorage],
  ['memory', createMemoryStorage],
])('%s storage', (_name, create) => {
  test('S2 bytes come back by their hash', async () => {
    const storage = create()
    const blobs = open(storage)
    const ref = await blobs.put(BYTES)
    expect(ref).toBe(`blob:sha256:${createHash('sha256').update(BYTES).digest('hex')}`)
    expect(Buffer.compare((await blobs.read(ref))!, BYTES)).toBe(0)
    expect(await blobs.has(ref)).toBe(true)
    expect(namesIn(storage)).toEqual([hashOf(ref)])
  })

  test('an empty blob is a blob', async () => {
    const blobs = open(create())
    expect(await blobs.read(await blobs.put(new Uint8Array()))).toHaveLength(0)
  })

  test('a blob that is not there is undefined', async () => {
    const blobs = open(create())
    const ref: BlobRef = `blob:sha256:${'0'.repeat(64)}`
    expect(await blobs.read(ref)).toBeUndefined()
    expect(await blobs.has(ref)).toBe(false)
  })

  test('the same bytes put by many at once are kept once', async () => {
    const storage = create()
    const stores = [open(storage), open(storage), open(storage)]
    const refs = await Promise.all(stores.flatMap((blobs) => [blobs.put(BYTES), blobs.put(BYTES.subarray())]))
    expect(new Set(refs).size).toBe(1)
    expect(namesIn(storage)).toHaveLength(1)
  })

  test.each([
    'blob:sha256:../../../etc/passwd',
    `blob:sha256:${'a'.repeat(63)}`,
    `blob:sha256:${'A'.repeat(64)}`,
    `blob:sha256:${'a'.repeat(64)}/../x`,
    `blob:sha256:${'a'.repeat(64)}\n`,
    `blob:md5:${'a'.repeat(64)}`,
    '',
  ])('K3 %j is refused', async (ref) => {
    const blobs = open(create())
    await expect(blobs.read(ref as BlobRef)).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(blobs.has(ref as BlobRef)).rejects.toMatchObject({ code: 'validation_failed' })
  })
})

test('I2 a flipped bit is noticed, and putting the bytes again repairs it', async () => {
  const blobs = open(createFileStorage())
  const ref = await blobs.put(BYTES)
  const path = homePaths(home).blobFile(hashOf(ref))
  const damaged = readFileSync(path)
  damaged[1234]! ^= 8
  writeFileSync(path, damaged)
  await expect(blobs.read(ref)).rejects.toMatchObject({ code: 'damaged' })
  await blobs.put(BYTES)
  expect(Buffer.compare((await blobs.read(ref))!, BYTES)).toBe(0)
})

test('I2 a blob cut short is noticed', async () => {
  const blobs = open(createFileStorage())
  const ref = await blobs.put(BYTES)
  writeFileSync(homePaths(home).blobFile(hashOf(ref)), BYTES.subarray(0, 100))
  await expect(blobs.read(ref)).rejects.toMatchObject({ code: 'damaged' })
})

test('K5 blobs are 0600 in a folder 0700', async () => {
  const paths = homePaths(home)
  const ref = await open(createFileStorage()).put(BYTES)
  expect(statSync(paths.blobFile(hashOf(ref))).mode & 0o777).toBe(0o600)
  expect(statSync(paths.blobs).mode & 0o777).toBe(0o700)
})

test('K3 a link in place of a blob is not followed', async () => {
  const blobs = open(createFileStorage())
  const ref = await blobs.put(BYTES)
  const path = homePaths(home).blobFile(hashOf(ref))
  writeFileSync(join(home, 'elsewhere'), BYTES)
  rmSync(path)
  symlinkSync(join(home, 'elsewhere'), path)
  await expect(blobs.read(ref)).rejects.toMatchObject({ code: 'forbidden' })
  // Whoever has the bytes mends it.
  await blobs.put(BYTES)
  expect(Buffer.compare((await blobs.read(ref))!, BYTES)).toBe(0)
  expect(readFileSync(join(home, 'elsewhere')).equals(BYTES)).toBe(true)
})

test('I3 a blob of which the old copy cannot be read is written anew', async () => {
  const plan = new FaultPlan()
  const blobs = open(createFaultyStorage(createFileStorage(), plan))
  const ref = await blobs.put(BYTES)
  plan.arm({ nth: 1, kinds: ['read'], outcome: { type: 'error', code: 'EIO' } })
  expect(await blobs.put(BYTES)).toBe(ref)
  expect(plan.hasStruck).toBe(true)
  expect(Buffer.compare((await blobs.read(ref))!, BYTES)).toBe(0)
})

test('a blob already there is new again, so that it is not taken for one nobody needs', async () => {
  const storage = createFileStorage()
  const blobs = open(storage)
  const path = homePaths(home).blobFile(hashOf(await blobs.put(BYTES)))
  utimesSync(path, 1, 1)
  const { identity } = storage.statSync(path)
  const before = Date.now()
  await blobs.put(BYTES)
  expect(storage.statSync(path)).toMatchObject({ identity })
  expect(Math.round(storage.statSync(path).mtimeMs)).toBeGreaterThanOrEqual(before)
})

test('a blob removed while the same bytes are put is written', async () => {
  const inner = createMemoryStorage()
  const blobs = open(inner)
  const path = homePaths(home).blobFile(hashOf(await blobs.put(BYTES)))
  let isRemoved = false
  const removing: SessionStorage = {
    ...inner,
    async touch(touched) {
      if (!isRemoved) await inner.unlink(path)
      isRemoved = true
      return inner.touch(touched)
    },
  }
  await open(removing).put(BYTES)
  expect(isRemoved).toBe(true)
  expect(inner.existsSync(path)).toBe(true)
})

test('a blob already there is not written again, but its folder is synced', async () => {
  const plan = new FaultPlan()
  const blobs = open(createFaultyStorage(createMemoryStorage(), plan))
  await blobs.put(BYTES)
  const before = plan.calls.length
  await blobs.put(BYTES)
  const kinds = plan.calls.slice(before).map((call) => call.kind)
  expect(kinds).not.toContain('write')
  expect(kinds.at(-1)).toBe('syncDir')
})

test('D1 power may fail at any step: a blob acknowledged is there, and never half of one', async () => {
  const whole = createCrashStorage()
  await open(whole).put(BYTES)
  for (let crashAt = 1; crashAt <= whole.operations + 1; crashAt++) {
    const storage = createCrashStorage({ crashAt })
    const acknowledged = await open(storage)
      .put(BYTES)
      .then(
        () => true,
        () => false,
      )
    expect(acknowledged).toBe(crashAt > whole.operations)
    for (let seed = 0; seed < 20; seed++) {
      const found = await open(storage.crash(seededRandom(seed))).read(refOf(BYTES))
      expect(found === undefined ? 'absent' : Buffer.compare(found, BYTES)).toBe(acknowledged || found ? 0 : 'absent')
    }
  }
})

test('R3 any call may fail: the error is coded, nothing is left behind, and a retry succeeds', async () => {
  const calls = new FaultPlan()
  await open(createFaultyStorage(createMemoryStorage(), calls)).put(BYTES)
  expect(calls.calls.length).toBeGreaterThan(6)
  for (let nth = 1; nth <= calls.calls.length; nth++) {
    for (const code of ['ENOSPC', 'EIO']) {
      const inner = createMemoryStorage()
      const plan = new FaultPlan({ nth, outcome: { type: 'error', code } })
      const blobs = open(createFaultyStorage(inner, plan))
      await expect(blobs.put(BYTES)).rejects.toMatchObject({ code: code === 'EIO' ? 'internal' : 'storage_full' })
      expect(namesIn(inner).filter((name) => name.endsWith('.tmp'))).toEqual([])
      plan.heal()
      expect(Buffer.compare((await blobs.read(await blobs.put(BYTES)))!, BYTES)).toBe(0)
    }
  }
})

test('R3 a short write goes on, and a disk that is full then leaves nothing', async () => {
  const inner = createMemoryStorage()
  const plan = new FaultPlan({ nth: 1, outcome: { type: 'short', bytes: 10 } })
  const blobs = open(createFaultyStorage(inner, plan))
  expect(Buffer.compare((await blobs.read(await blobs.put(BYTES)))!, BYTES)).toBe(0)
  plan.arm({ nth: 1, outcome: { type: 'short', bytes: 10 }, lasts: 'until-healed' })
  await expect(blobs.put(randomBytes(100))).rejects.toMatchObject({ code: 'storage_full' })
  expect(namesIn(inner)).toEqual([hashOf(refOf(BYTES))])
})

function refOf(bytes: Uint8Array): BlobRef {
  return `blob:sha256:${createHash('sha256').update(bytes).digest('hex')}`
}
