import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openFileStore } from '../file-store.ts'
import { bundleAppender } from '../testing/bundle-appender.ts'
import { type Random, seededRandom } from '../testing/crash-storage.ts'
import { amount, forSeeds, TIMEOUT } from './amounts.ts'
import { AppenderProcess } from './appender-process.ts'
import { draftOf, type Order } from './order.ts'
import { saysTheSame } from './sample-entry.ts'

const MOST = 8
const SIZES = [200, 200, 4096, 60_000]

let home: string
let script: string
let pool: AppenderProcess[] = []

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'treeline-race-'))
  script = await bundleAppender(join(home, 'cache'))
})
afterEach(async () => {
  for (const process of pool.splice(0)) await process.kill()
  rmSync(home, { recursive: true })
})

test('C1 many processes append to one session, some die, some rename a copy over it', TIMEOUT, () =>
  forSeeds(amount(50, 5000), race),
)

async function race(seed: number): Promise<void> {
  const random = seededRandom(seed)
  const racers = await gather(2 + pick(random, MOST - 1))
  await using store = await openFileStore({ home })
  await using session = await store.create({ cwd: '/work' })
  const orders = racers.map((_, i): Order => {
    const how = (['singly', 'together', 'at once'] as const)[pick(random, 3)]!
    return { home, sessionId: session.id, name: `w${i}x`, count: 4 + pick(random, 16), sizes: SIZES, how }
  })
  racers.forEach((process, i) => void process.give(orders[i]!))
  const isReplaced = random() < 0.3
  const victims = random() < 0.4 ? racers.slice(0, 1 + pick(random, Math.min(3, racers.length - 1))) : []
  await Promise.all(victims.map((process) => killLater(process, random)))
  const replacedAt = isReplaced ? await replaceSeveralTimes(racers, session.path, random) : 0n
  const others = racers.filter((process) => !victims.includes(process))
  await Promise.all(others.map((process) => process.ready()))
  expect(others.flatMap(({ problems }) => problems)).toEqual([])
  await checkRace(session.id, racers, orders, replacedAt)
  // Thousands of races would leave gigabytes.
  rmSync(session.path)
}

/** As many as are ready, two at least: those that replace the dead are given time to start. */
async function gather(wanted: number): Promise<readonly AppenderProcess[]> {
  pool = pool.filter((process) => !process.isDead)
  while (pool.length < MOST) pool.push(start())
  if (pool.filter(({ isReady }) => isReady).length < 2) await Promise.all(pool.map((process) => process.ready()))
  return pool.filter(({ isReady }) => isReady).slice(0, wanted)
}

async function checkRace(
  sessionId: string,
  racers: readonly AppenderProcess[],
  orders: readonly Order[],
  replacedAt: bigint,
): Promise<void> {
  await using store = await openFileStore({ home })
  await using session = await store.open(sessionId)
  expect(session.access).toEqual({ mode: 'write' })
  const found: string[] = []
  for await (const entry of session.entries()) {
    const writer = Number(entry.id.slice(1, entry.id.indexOf('x')))
    if (!racers[writer]!.attempted.has(entry.id)) throw new Error(`nobody sent ${entry.id}`)
    if (!saysTheSame(entry, draftOf(entry.id, orders[writer]!.sizes))) throw new Error(`${entry.id} differs`)
    found.push(entry.id)
  }
  const place = new Map(found.map((id, i) => [id, i]))
  if (replacedAt === 0n) expect(place.size).toBe(found.length)
  for (const { acknowledged, attempted } of racers) {
    const due = acknowledged.filter((id) => attempted.get(id)! > replacedAt)
    for (const id of due) if (!place.has(id)) throw new Error(`acknowledged ${id} is gone`)
    if (replacedAt > 0n) continue
    const places = due.map((id) => place.get(id)!)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  }
  // Each saw the log as it was when it was through: the beginning of what is there now. A line cut short by a kill may
  // look whole until it is read.
  if (replacedAt > 0n) return
  for (const { seen } of racers) {
    if (seen !== undefined) expect(seen.filter((id) => place.has(id))).toEqual(found.slice(0, seen.length))
  }
}

async function killLater(process: AppenderProcess, random: Random): Promise<void> {
  const acknowledged = pick(random, 10)
  await process.until(() => process.acknowledged.length >= acknowledged || process.seen !== undefined)
  await process.kill()
}

/** As xcsh does: a copy made from what it knows, renamed over the log. Returns when the last was in place. */
async function replaceSeveralTimes(racers: readonly AppenderProcess[], path: string, random: Random): Promise<bigint> {
  const heard = () => racers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
  for (let times = 1 + pick(random, 3); times > 0; times--) {
    const enough = heard() + pick(random, 10)
    await Promise.race(racers.map((process) => process.until(() => heard() >= enough || process.seen !== undefined)))
    copyFileSync(path, `${path}.copy`)
    renameSync(`${path}.copy`, path)
  }
  return process.hrtime.bigint()
}

function start(): AppenderProcess {
  return new AppenderProcess(script)
}

function pick(random: Random, count: number): number {
  return Math.floor(random() * count)
}
