import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openFileStore } from '../file-store.ts'
import { bundleAppender } from '../testing/bundle-appender.ts'
import { type Random, seededRandom } from '../testing/crash-storage.ts'
import { amount, FIRST_SEED, TIMEOUT } from './amounts.ts'
import { AppenderProcess } from './appender-process.ts'
import { draftOf, type Order } from './order.ts'
import { RECORD_BYTES, sampleDraft, saysTheSame } from './sample-entry.ts'

const LANES = 4
/** A log grows over so many kills; then a new one is begun. */
const KILLS_PER_LOG = 8
const MAX_DELAY_MS = 20

let home: string
let script: string
const processes = new Set<AppenderProcess>()

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'treeline-kill-'))
  script = await bundleAppender(join(home, 'cache'))
})
afterEach(async () => {
  for (const process of processes) await process.kill()
  rmSync(home, { recursive: true })
})

test('D1, D4, I2 kill -9 at a random moment: every acknowledged entry is there, once and whole', TIMEOUT, async () => {
  const kills = amount(100, 10_000)
  await Promise.all(Array.from({ length: LANES }, (_, lane) => killAgainAndAgain(lane, Math.ceil(kills / LANES))))
})

interface GrowingLog {
  readonly id: string
  readonly expected: Set<string>
  kills: number
}

async function killAgainAndAgain(lane: number, kills: number): Promise<void> {
  let log = await beginLog()
  let next = start()
  for (let n = 0; n < kills; n++) {
    const seed = FIRST_SEED + n * LANES + lane
    const process = next
    next = start()
    await process.ready()
    try {
      await killOnce(process, log, seed)
      if (++log.kills < KILLS_PER_LOG) continue
      await compareColdWithWarm(log)
      log = await beginLog()
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error })
    }
  }
}

async function killOnce(process: AppenderProcess, log: GrowingLog, seed: number): Promise<void> {
  const random = seededRandom(seed)
  const order: Order = {
    home,
    sessionId: log.id,
    name: `k${log.kills}x`,
    count: 60_000,
    sizes: random() < 0.5 ? RECORD_BYTES : [RECORD_BYTES[Math.floor(random() * RECORD_BYTES.length)]!],
    how: (['singly', 'together', 'at once'] as const)[Math.floor(random() * 3)]!,
  }
  process.give(order)
  if (random() < 0.9) await process.until(() => process.acknowledged.length > 0)
  await new Promise((resolve) => setTimeout(resolve, random() * MAX_DELAY_MS))
  await process.kill()
  processes.delete(process)
  expect(process.problems).toEqual([])
  await checkLog(process, order, log, random)
}

async function checkLog(process: AppenderProcess, order: Order, log: GrowingLog, random: Random): Promise<void> {
  await using store = await openFileStore({ home })
  await using session = await store.open(log.id)
  expect(session.access).toEqual({ mode: 'write' })
  const attempted = [...process.attempted.keys()]
  const found = idsOf(session.tree).filter((id) => id.startsWith(order.name))
  // A last line may look whole by its ends and be cut in the middle.
  const entries = await session.readEntries(found)
  const recovered = found.filter((_, i) => entries[i] !== undefined)
  expect(recovered).toEqual(attempted.slice(0, recovered.length))
  expect(recovered.length).toBeGreaterThanOrEqual(process.acknowledged.length)
  for (const entry of entries) {
    if (entry !== undefined && !saysTheSame(entry, draftOf(entry.id, order.sizes)))
      throw new Error(`${entry.id} differs`)
  }
  for (const id of recovered) log.expected.add(id)

  const own = sampleDraft(`p${log.kills}${Math.floor(random() * 1000)}`, 200)
  await session.append(own)
  log.expected.add(own.id!)
  const { skipped, notes, unreadable, tornAt, problems } = session.report()
  const damage = skipped.filter(({ severity }) => severity === 'damage')
  expect(damage.length + unreadable.length).toBeLessThanOrEqual(log.kills + 1)
  expect({ notes, tornAt, problems: problems.filter(({ type }) => type === 'duplicate_id') }).toEqual({
    notes: [],
    tornAt: undefined,
    problems: [],
  })
  const all = idsOf(session.tree)
  const there = new Set(all)
  expect(there.size).toBe(all.length)
  for (const id of log.expected) if (!there.has(id)) throw new Error(`${id} is gone`)
}

/** Saved columns are a cache: without them the same is read (I6). */
async function compareColdWithWarm(log: GrowingLog): Promise<void> {
  const read = async () => {
    await using store = await openFileStore({ home })
    await using session = await store.open(log.id)
    return { ids: idsOf(session.tree), leaf: session.leafId }
  }
  const warm = await read()
  rmSync(join(home, 'index', `${log.id}.cols`), { force: true })
  expect(await read()).toEqual(warm)
}

async function beginLog(): Promise<GrowingLog> {
  await using store = await openFileStore({ home })
  await using session = await store.create({ cwd: '/work' })
  return { id: session.id, expected: new Set(), kills: 0 }
}

function start(): AppenderProcess {
  const process = new AppenderProcess(script)
  processes.add(process)
  return process
}

function idsOf(tree: { rowCount: number; refAtRow(row: number): number; ids: { textOf(ref: number): string } }) {
  return Array.from({ length: tree.rowCount }, (_, row) => tree.ids.textOf(tree.refAtRow(row)))
}
