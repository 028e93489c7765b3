import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMemoryHome } from '../home.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { type CrashStorage, createCrashStorage, seededRandom } from '../testing/crash-storage.ts'
import { header, message, toText } from '../testing/temp-home.ts'
import { amount } from '../torture/amounts.ts'
import { createBackup } from './backup.ts'
import { listTree } from './list-tree.ts'
import { restoreBackup } from './restore-backup.ts'
import { verifyBackup } from './verify-backup.ts'

const TARGET = '/backups'
const SEEDS = amount(3, 100)

/** A durable home with three sessions, two of them in one folder, and a blob. */
async function setUp(): Promise<CrashStorage> {
  const storage = createCrashStorage()
  const home = openMemoryHome({ storage })
  const ref = await home.blobs.put(Buffer.from('a large thing'))
  for (const [cwd, id] of [
    ['/p', 'one'],
    ['/p', 'two'],
    ['/q', 'three'],
  ] as const) {
    const path = home.paths.sessionFile({ cwd, id, timestamp: '2026-01-01T00:00:00.000Z' })
    storage.ensureDirSync(join(path, '..'))
    storage.writeTextSync(path, toText([header(id), message(`${ref} ${id}`, 'a1')]))
  }
  return storage
}

async function readAll(storage: SessionStorage, dir: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  for (const path of listTree(storage, dir)) {
    if (!path.endsWith('.tmp')) files[path.slice(dir.length)] = await storage.readText(path)
  }
  return files
}

/** Runs the work with power failing at every step in turn, until it gets through. Returns how many steps it has. */
async function crashEverywhere(
  before: CrashStorage,
  work: (storage: CrashStorage) => Promise<unknown>,
  check: (after: CrashStorage, isDone: boolean) => Promise<void>,
): Promise<number> {
  for (let crashAt = 1; ; crashAt++) {
    const storage = before.crash(() => 0, { crashAt })
    let isDone = true
    try {
      await work(storage)
    } catch (error) {
      isDone = false
      if (!storage.isStopped) throw error
    }
    for (let seed = 0; seed < SEEDS; seed++) await check(storage.crash(seededRandom(seed)), isDone)
    if (isDone) return crashAt
  }
}

test('D1 power may fail at any step of a backup: what has the name of a backup is a whole one', async () => {
  const before = await setUp()
  const kept = { ...(await readAll(before, '/treeline/sessions')) }
  const steps = await crashEverywhere(
    before,
    (storage) => createBackup(openMemoryHome({ storage }), TARGET),
    async (after, isDone) => {
      const made = after.listDirsSync(TARGET).filter((name) => !name.endsWith('.partial'))
      if (isDone) expect(made).toHaveLength(1)
      for (const name of made) {
        const report = await verifyBackup(join(TARGET, name), { storage: after })
        expect(report).toMatchObject({ isSound: true, isComplete: true, logCount: 3, findings: [] })
      }
      expect(await readAll(after, '/treeline/sessions')).toEqual(kept)
    },
  )
  expect(steps).toBeGreaterThan(20)
})

test('D1 power may fail at any step of a restore: whole files only, and a second run finishes', async () => {
  const before = await setUp()
  const { folder } = await createBackup(openMemoryHome({ storage: before }), TARGET)
  const expected = await readAll(before, '/treeline/sessions')
  const steps = await crashEverywhere(
    before,
    (storage) => restoreBackup(folder, openMemoryHome({ home: '/fresh', storage })),
    async (after, isDone) => {
      const found = await readAll(after, '/fresh/sessions')
      if (isDone) expect(found).toEqual(expected)
      for (const [name, text] of Object.entries(found)) expect(text).toBe(expected[name])
      await restoreBackup(folder, openMemoryHome({ home: '/fresh', storage: after }))
      expect(await readAll(after, '/fresh/sessions')).toEqual(expected)
      expect(await readAll(after, '/fresh/blobs')).toEqual(await readAll(before, '/treeline/blobs'))
    },
  )
  expect(steps).toBeGreaterThan(20)
})
