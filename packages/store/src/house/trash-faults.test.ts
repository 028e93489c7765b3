import { TreelineError } from '@treeline/core'
import { describe, expect, test } from 'vitest'
import { type Home, openMemoryHome } from '../home.ts'
import { openMemoryStore } from '../memory-store.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { type CrashStorage, createCrashStorage, seededRandom } from '../testing/crash-storage.ts'
import { createFaultyStorage } from '../testing/faulty-storage.ts'
import { type CallKind, FaultPlan, type Outcome } from '../testing/faulty-storage-plan.ts'
import { header, message, toText } from '../testing/temp-home.ts'
import { amount, forSeeds, TIMEOUT } from '../torture/amounts.ts'
import { readAudit } from './audit.ts'
import { purgeTrash } from './purge-trash.ts'
import { restoreFromTrash } from './restore-from-trash.ts'
import { trashSession } from './trash.ts'
import { listTrash } from './trash-item.ts'

const TEXT = toText([header('s'), message('hello', 'e1')])
const PARTIAL = 'half an answ'

function plant(storage: SessionStorage): Home {
  const home = openMemoryHome({ storage })
  const { paths } = home
  const path = logPath(home)
  for (const dir of [paths.sessionDir('/p'), paths.partialDir('s'), paths.index]) storage.ensureDirSync(dir)
  storage.writeTextSync(path, TEXT)
  storage.writeTextSync(`${path}.v1`, 'original')
  storage.writeTextSync(paths.partialFile('s', 'e2'), PARTIAL)
  storage.writeTextSync(paths.columnsFile('s'), 'columns')
  return home
}

function logPath({ paths }: Pick<Home, 'paths'>): string {
  return paths.sessionFile({ cwd: '/p', id: 's', timestamp: '2026-01-01T00:00:00.000Z' })
}

/** Brings back whatever is in the trash; then everything has to be in its place, byte for byte, and open. */
async function expectKept(storage: SessionStorage): Promise<void> {
  const home = openMemoryHome({ storage })
  for (const { trashId } of await listTrash(home)) await restoreFromTrash(home, trashId)
  const path = logPath(home)
  expect(await storage.readText(path)).toBe(TEXT)
  expect(await storage.readText(`${path}.v1`)).toBe('original')
  expect(await storage.readText(home.paths.partialFile('s', 'e2'))).toBe(PARTIAL)
  expect(await listTrash(home)).toEqual([])
  await using store = await openMemoryStore({ storage })
  await using session = await store.open('s')
  expect(session.leafId).toBe('e1')
}

const thereAndBack = async (home: Home) => {
  const { trashId } = await trashSession(home, 's')
  await restoreFromTrash(home, trashId)
}

const KINDS: readonly CallKind[] = [
  'open',
  'read',
  'write',
  'datasync',
  'stat',
  'list',
  'mkdir',
  'rename',
  'unlink',
  'rmdir',
  'syncDir',
]

const CASES: readonly [string, Outcome, 'once' | 'until-healed'][] = [
  ['a bad disk, once', { type: 'error', code: 'EIO' }, 'once'],
  ['a bad disk, after it was done', { type: 'error-after', code: 'EIO' }, 'once'],
  ['a bad disk, until mended', { type: 'error', code: 'EIO' }, 'until-healed'],
  ['a full disk', { type: 'error', code: 'ENOSPC' }, 'until-healed'],
]

describe.each(CASES)('R1, R3 %s', (_name, outcome, lasts) => {
  test('at any call of trash and restore: refused with a code or done, and never lost', TIMEOUT, async () => {
    const counting = new FaultPlan()
    const counted = plant(createCrashStorage())
    await thereAndBack({ ...counted, storage: createFaultyStorage(counted.storage, counting) })
    const { length } = counting.calls
    expect(length).toBeGreaterThan(40)
    for (let nth = 1; nth <= length; nth++) {
      const disk = createCrashStorage()
      const real = plant(disk)
      const plan = new FaultPlan({ nth, kinds: KINDS, outcome, lasts })
      const home = { ...real, storage: createFaultyStorage(disk, plan) }
      await thereAndBack(home).catch((error) => {
        if (!(error instanceof TreelineError)) throw new Error(`call ${nth}: uncoded ${error}`, { cause: error })
      })
      await expectKept(disk.crash(() => 0.999)).catch((error) => {
        throw new Error(`call ${nth}, ${JSON.stringify(plan.calls[nth - 1])}: ${error.message}`, { cause: error })
      })
    }
  })
})

const pick = (random: () => number, count: number) => Math.floor(random() * count)

test(
  'R1 power fails at any moment of trash and restore: the session is in its place or can be restored',
  TIMEOUT,
  async () => {
    const { operations } = await run(() => 0, undefined)
    await forSeeds(amount(120, 60_000), async (seed) => {
      const random = seededRandom(seed)
      const disk = await run(random, 1 + pick(random, operations))
      await expectKept(disk.crash(random))
    })

    async function run(_random: () => number, crashAt: number | undefined): Promise<CrashStorage> {
      const planted = createCrashStorage()
      plant(planted)
      const disk = planted.crash(() => 0, crashAt === undefined ? {} : { crashAt })
      await thereAndBack(openMemoryHome({ storage: disk })).catch((error) => {
        if (!disk.isStopped) throw error
      })
      return disk
    }
  },
)

test('R1 power fails at any moment of a purge: nothing goes without a line that says so', TIMEOUT, async () => {
  const purged = createCrashStorage()
  const { trashId } = await trashSession(plant(purged), 's')
  const whole = purged.crash(() => 0)
  await purgeTrash(openMemoryHome({ storage: whole }), { trashId })
  await forSeeds(amount(80, 20_000), async (seed) => {
    const random = seededRandom(seed)
    const disk = purged.crash(() => 0, { crashAt: 1 + pick(random, whole.operations) })
    await purgeTrash(openMemoryHome({ storage: disk }), { trashId }).catch((error) => {
      if (!disk.isStopped) throw error
    })
    const left = disk.crash(random)
    const home = openMemoryHome({ storage: left })
    const isAudited = (await readAudit(home)).some(({ action }) => action === 'purge')
    if (!isAudited) await expectKept(left)
    // What is left can be purged again, and then nothing is.
    for (const item of await listTrash(home)) await purgeTrash(home, { trashId: item.trashId })
    expect(await listTrash(home)).toEqual([])
  })
})

test('R1 a purge that cannot say so in the audit does not happen', async () => {
  const disk = createCrashStorage()
  const real = plant(disk)
  const { trashId } = await trashSession(real, 's')
  const plan = new FaultPlan({
    nth: 1,
    kinds: ['write'],
    outcome: { type: 'error', code: 'ENOSPC' },
    lasts: 'until-healed',
  })
  const home = { ...real, storage: createFaultyStorage(disk, plan) }
  const { failed } = await purgeTrash(home, { trashId })
  expect(failed).toMatchObject([{ trashId, problem: expect.stringContaining('disk is full') }])
  await expectKept(disk)
})
