import { expect, test } from 'vitest'
import { errnoError } from '../storage/errno.ts'
import { createMemoryStorage } from '../storage/memory-storage.ts'
import type { SessionStorageWriter } from '../storage/storage.ts'
import { errnoOf } from '../storage-error.ts'
import { createFaultyStorage } from '../testing/faulty-storage.ts'
import { FaultPlan } from '../testing/faulty-storage-plan.ts'
import { writeWhole } from './write-whole.ts'

const PATH = '/log'
const BEFORE = 'a line\n'
const BATCH = Buffer.from('another line\n')

function openLog(plan = new FaultPlan()) {
  const storage = createMemoryStorage()
  storage.writeTextSync(PATH, BEFORE)
  return { storage, file: createFaultyStorage(storage, plan).openWriter(PATH, { flags: 'a' }), plan }
}

function codeOf(work: () => void): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return errnoOf(error)
  }
}

test.each([0, 1, 5, BATCH.length - 1])(
  'R3 what a full disk leaves of a batch, %i bytes, is taken back',
  async (bytes) => {
    const { storage, file, plan } = openLog()
    plan.arm({ nth: 1, outcome: { type: 'short', bytes }, lasts: 'until-healed' })
    expect(codeOf(() => writeWhole(file, BATCH, BEFORE.length))).toBe('ENOSPC')
    expect(await storage.readText(PATH)).toBe(BEFORE)
    plan.heal()
    writeWhole(file, BATCH, BEFORE.length)
    expect(await storage.readText(PATH)).toBe(`${BEFORE}${BATCH}`)
  },
)

test('R2 a full disk is what is told, also when nothing can be taken back', async () => {
  const { storage, file, plan } = openLog()
  plan.arm({ nth: 1, outcome: { type: 'short', bytes: 5 }, lasts: 'until-healed' })
  const stuck: SessionStorageWriter = Object.create(file, {
    statSync: { value: () => file.statSync() },
    truncateSync: {
      value: () => {
        throw errnoError('EIO', 'ftruncate')
      },
    },
    writeSync: { value: (bytes: Uint8Array) => file.writeSync(bytes) },
  })
  expect(codeOf(() => writeWhole(stuck, BATCH, BEFORE.length))).toBe('ENOSPC')
  expect(await storage.readText(PATH)).toBe(`${BEFORE}${BATCH.subarray(0, 5)}`)
})

test('the rest of a write that came out short goes after it', async () => {
  const { storage, file, plan } = openLog()
  plan.arm({ nth: 1, outcome: { type: 'short', bytes: 5 } })
  writeWhole(file, BATCH, BEFORE.length)
  expect(await storage.readText(PATH)).toBe(`${BEFORE}${BATCH}`)
})

test('I3 what a program that knows no lock has appended meanwhile is not cut off', async () => {
  const { storage, file, plan } = openLog()
  plan.arm({ nth: 1, outcome: { type: 'short', bytes: 5 }, lasts: 'until-healed' })
  const theirs = '{"theirs":1}\n'
  let writes = 0
  const raced: SessionStorageWriter = Object.create(file, {
    statSync: { value: () => file.statSync() },
    truncateSync: { value: (size: number) => file.truncateSync(size) },
    writeSync: {
      value: (bytes: Uint8Array) => {
        const other = storage.openWriter(PATH, { flags: 'a' })
        if (++writes === 2) other.writeSync(Buffer.from(theirs))
        other.closeSync()
        return file.writeSync(bytes)
      },
    },
  })
  expect(codeOf(() => writeWhole(raced, BATCH, BEFORE.length))).toBe('ENOSPC')
  expect(await storage.readText(PATH)).toBe(`${BEFORE}${BATCH.subarray(0, 5)}${theirs}`)
})
