import { TreelineError } from '@treeline/core'
import { expect, test } from 'vitest'
import { type Home, openMemoryHome } from '../../home.ts'
import type { SessionStorage } from '../../storage/storage.ts'
import { type CrashStorage, createCrashStorage, seededRandom } from '../../testing/crash-storage.ts'
import { createFaultyStorage } from '../../testing/faulty-storage.ts'
import { FaultPlan } from '../../testing/faulty-storage-plan.ts'
import { header, message, toText } from '../../testing/temp-home.ts'
import { amount, forSeeds, TIMEOUT } from '../../torture/amounts.ts'
import { readBytes } from '../../torture/place-log.ts'
import { applyScrub } from './apply-scrub.ts'
import { finishScrub } from './finish-scrub.ts'
import { planScrub } from './scrub-plan.ts'

const SECRET = 'crash-proof-secret'
const DIR = '/treeline/sessions/--p--'
const PATHS = ['a', 'b'].map((id) => `${DIR}/2026-01-01T00-00-00-000Z_${id}.jsonl`)

/** Two sessions and a blob that one of them names, durably on the disk. */
async function place(storage: SessionStorage): Promise<void> {
  const home = openMemoryHome({ storage })
  const ref = await home.blobs.put(Buffer.from(`whole text of ${SECRET}`))
  const named = { ...message('x', 'm2', 'm1'), image_url: ref }
  storage.ensureDirSync(DIR)
  storage.writeTextSync(PATHS[0]!, toText([header('a'), message(`one ${SECRET}`, 'm1', null), named]))
  storage.writeTextSync(
    PATHS[1]!,
    toText([header('b'), message(`two ${SECRET}`, 'm1', null), message('y', 'm2', 'm1')]),
  )
}

async function scrub(storage: SessionStorage): Promise<void> {
  const home = openMemoryHome({ storage })
  await applyScrub(home, await planScrub(home, SECRET), { confirm: true })
}

interface State {
  /** Of every log: whether it holds the secret, or is as it should be without it. */
  readonly logs: readonly ('old' | 'new' | 'neither')[]
  /** Blobs that a log names and that are there. */
  readonly isNamedBlobThere: boolean
  readonly hasSecret: boolean
}

function lookAt(home: Home, expected: readonly string[], original: readonly string[]): State {
  const { storage, paths } = home
  const texts = PATHS.map((path) => Buffer.from(readBytes(storage, path)).toString())
  const logs = texts.map((text, n) => (text === expected[n] ? 'new' : text === original[n] ? 'old' : 'neither'))
  const [, hash = ''] = /blob:sha256:([a-f0-9]{64})/.exec(texts[0]!) ?? []
  const blobs = storage.listFilesSync(paths.blobs, '*').map((path) => Buffer.from(readBytes(storage, path)).toString())
  const hasSecret = [...texts, ...blobs].some((text) => text.includes(SECRET))
  return { logs, hasSecret, isNamedBlobThere: storage.existsSync(paths.blobFile(hash)) }
}

async function expectedTexts(): Promise<{ expected: string[]; original: string[]; operations: number; calls: number }> {
  const disk = createCrashStorage()
  await place(disk)
  const original = PATHS.map((path) => Buffer.from(readBytes(disk, path)).toString())
  const before = disk.operations
  const plan = new FaultPlan()
  await scrub(createFaultyStorage(disk, plan))
  const expected = PATHS.map((path) => Buffer.from(readBytes(disk, path)).toString())
  expect(expected.join()).not.toContain(SECRET)
  return { expected, original, operations: disk.operations - before, calls: plan.calls.length }
}

test(
  'wherever power fails, each log is whole, old or new; finished, or scrubbed again, the secret is gone',
  TIMEOUT,
  async () => {
    const { expected, original, operations } = await expectedTexts()
    expect(operations).toBeGreaterThan(20)
    let finished = 0
    await forSeeds(amount(3, 300), async (seed) => {
      for (let crashAt = 1; crashAt <= operations; crashAt++) {
        const running = await crashed(crashAt)
        const disk = running.crash(seededRandom(seed * 1000 + crashAt))
        const home = openMemoryHome({ storage: disk })
        const found = lookAt(home, expected, original)
        expect(found.logs).not.toContain('neither')
        expect(found.isNamedBlobThere).toBe(true)
        const { finished: count } = await finishScrub(home)
        const after = lookAt(home, expected, original)
        // All or nothing: with a journal everything is done, without one nothing was.
        expect(new Set(after.logs).size).toBe(1)
        expect(after.isNamedBlobThere).toBe(true)
        if (count > 0) {
          finished++
          expect(after).toMatchObject({ hasSecret: false, logs: ['new', 'new'] })
        }
        await scrub(disk)
        expect(lookAt(home, expected, original)).toMatchObject({ hasSecret: false, logs: ['new', 'new'] })
      }
    })
    expect(finished).toBeGreaterThan(5)
  },
)

async function crashed(crashAt: number): Promise<CrashStorage> {
  const disk = createCrashStorage()
  await place(disk)
  const running = disk.crash(() => 0, { crashAt })
  await scrub(running).catch((error) => {
    if (!running.isStopped) throw error
  })
  return running
}

test('whatever call fails, it says so, no log is lost, and trying again does it', TIMEOUT, async () => {
  const { expected, original, calls } = await expectedTexts()
  for (const type of ['error', 'error-after'] as const) {
    for (let nth = 1; nth <= calls; nth++) {
      const disk = createCrashStorage()
      await place(disk)
      const plan = new FaultPlan({ nth, outcome: { type, code: 'EIO' } })
      const failed = await scrub(createFaultyStorage(disk, plan)).catch((error) => error)
      if (failed instanceof Error) expect(failed).toBeInstanceOf(TreelineError)
      const home = openMemoryHome({ storage: disk })
      const found = lookAt(home, expected, original)
      const call = `${type} ${nth}: ${JSON.stringify(plan.calls[nth - 1])}`
      expect({ call, logs: found.logs }).toMatchObject({ logs: expect.not.arrayContaining(['neither']) })
      expect(found.isNamedBlobThere).toBe(true)
      await scrub(disk)
      expect(lookAt(home, expected, original)).toMatchObject({ hasSecret: false, logs: ['new', 'new'] })
    }
  }
})

test('what was appended before an interrupted scrub is finished is taken along, once', async () => {
  const { expected, operations } = await expectedTexts()
  for (let crashAt = 1; crashAt <= operations; crashAt++) {
    const running = await crashed(crashAt)
    const disk = running.crash(() => 0)
    const home = openMemoryHome({ storage: disk })
    const late = toText([message('late', 'm3', 'm2')])
    const file = disk.openWriter(PATHS[0]!, { flags: 'a' })
    file.writeSync(Buffer.from(late))
    file.datasyncSync()
    file.closeSync()
    await finishScrub(home)
    await scrub(disk)
    expect(Buffer.from(readBytes(disk, PATHS[0]!)).toString()).toBe(expected[0]! + late)
  }
})

test('K3 a journal that is none, or that names files outside, is left alone', async () => {
  const disk = createCrashStorage()
  await place(disk)
  const home = openMemoryHome({ storage: disk })
  disk.ensureDirSync(home.paths.scrub)
  disk.ensureDirSync('/outside')
  disk.writeTextSync('/outside/file', 'mine')
  const base = { version: 1, sessionIds: [], replacements: [] }
  for (const [name, text] of Object.entries({
    torn: '{"version":1,"repl',
    up: JSON.stringify({ ...base, removals: ['../outside/file'] }),
    absolute: JSON.stringify({ ...base, removals: ['/outside/file'] }),
    whole: JSON.stringify({ ...base, removals: [''] }),
    odd: JSON.stringify({ ...base, removals: [7] }),
  })) {
    disk.writeTextSync(`${home.paths.scrub}/${name}.json`, text)
  }
  const { finished, unreadable } = await finishScrub(home)
  expect([finished, unreadable.length]).toEqual([0, 5])
  expect(disk.existsSync('/outside/file')).toBe(true)
})
