import { TreelineError } from '@treeline/core'
import { describe, expect, test } from 'vitest'
import type { SessionStorage } from '../storage/storage.ts'
import { errnoOf } from '../storage-error.ts'
import { createCrashStorage } from '../testing/crash-storage.ts'
import { createFaultyStorage } from '../testing/faulty-storage.ts'
import { type CallKind, type Fault, FaultPlan, type Outcome } from '../testing/faulty-storage-plan.ts'
import { isTorture, TIMEOUT } from './amounts.ts'
import { auditStore } from './audit.ts'
import { withLostPages } from './lost-pages.ts'
import { placeOldLog } from './old-log.ts'
import { longDay, type Step, shortDay, User } from './user.ts'

const MAX_TRIES = 3
const loseAll = () => 0.999

interface Run {
  readonly plan: FaultPlan
  readonly failures: readonly string[]
}

/**
 * Lives through a day with one fault. A step that fails has to say so with a code; then the fault is mended and the same
 * store tries the same step again (R3, D3). At the end power fails, and what is on the disk is audited.
 */
async function liveThrough(day: (user: User) => readonly Step[], fault?: Fault, second?: Fault): Promise<Run> {
  const raw = createCrashStorage()
  const original = placeOldLog(raw)
  const plan = new FaultPlan(fault)
  const inner = new FaultPlan(second)
  const pages = withLostPages(createFaultyStorage(createFaultyStorage(raw, inner), plan))
  const user = new User(pages.storage)
  const failures: string[] = []
  for (const [name, step] of day(user)) {
    await takeStep(name, step, [plan, inner], failures)
  }
  const disk = raw.crash(loseAll)
  pages.lose(disk)
  expect(await auditStore(disk, user.ledger, { original, mayRepeat: true })).toEqual([])
  expect(leftovers(raw)).toEqual([])
  return { plan, failures }
}

async function takeStep(
  name: string,
  step: () => Promise<void>,
  plans: readonly FaultPlan[],
  failures: string[],
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await step()
      return
    } catch (error) {
      const problem = `${name}: ${error instanceof Error ? error.message : String(error)}`
      if (!isCoded(error)) throw new Error(`uncoded: ${problem}`, { cause: error })
      if (tries === MAX_TRIES) throw new Error(`not mended: ${problem}`, { cause: error })
      failures.push(problem)
      for (const plan of plans) plan.heal()
    }
  }
}

/** With a code; and where that says no more than that something failed, with the system's own as its cause. */
function isCoded(error: unknown): boolean {
  if (!(error instanceof TreelineError)) return false
  return error.code !== 'internal' || errnoOf(error.cause) !== undefined
}

/** Whatever failed, no half-written file stays behind where a person would find it. */
function leftovers(storage: SessionStorage): string[] {
  return storage.listFilesSync('/treeline/sessions/--work--', '*.tmp')
}

const error = (code: string): Outcome => ({ type: 'error', code })
const after = (code: string): Outcome => ({ type: 'error-after', code })

const CHANGES: readonly CallKind[] = ['open', 'write', 'truncate', 'datasync', 'fsync', 'mkdir', 'rename', 'syncDir']
const ALL: readonly CallKind[] = [...CHANGES, 'read', 'stat', 'list']

interface Case {
  readonly name: string
  readonly kinds: readonly CallKind[]
  readonly fault: Omit<Fault, 'nth' | 'kinds'>
  /** In CI the short one is enough for most. */
  readonly days?: readonly ((user: User) => readonly Step[])[]
}

const CASES: readonly Case[] = [
  { name: 'a bad disk, once', kinds: ALL, fault: { outcome: error('EIO') }, days: [shortDay, longDay] },
  { name: 'a bad disk, after it was done', kinds: ALL, fault: { outcome: after('EIO') } },
  {
    name: 'a bad disk, until mended',
    kinds: isTorture ? ALL : CHANGES,
    fault: { outcome: error('EIO'), lasts: 'until-healed' },
  },
  {
    name: 'a full disk',
    kinds: ['write', 'mkdir', 'datasync', 'fsync', 'rename', 'open'],
    fault: full(),
    days: [shortDay, longDay],
  },
  { name: 'a full disk after one byte', kinds: ['write'], fault: short(1) },
  { name: 'a full disk after some bytes', kinds: ['write'], fault: short(150) },
  { name: 'a full disk after many bytes', kinds: ['write'], fault: short(400) },
  { name: 'a write of nothing', kinds: ['write'], fault: short(0) },
  { name: 'a short write, once', kinds: ['write'], fault: { outcome: { type: 'short', bytes: 100 } } },
  { name: 'no descriptors', kinds: ['open'], fault: { outcome: error('EMFILE'), lasts: 'until-healed' } },
]

function full(): Omit<Fault, 'nth' | 'kinds'> {
  return { outcome: error('ENOSPC'), lasts: 'until-healed' }
}
function short(bytes: number): Omit<Fault, 'nth' | 'kinds'> {
  return { outcome: { type: 'short', bytes }, lasts: 'until-healed' }
}

/** How often each kind of call happens in a day without faults. */
async function countCalls(day: (user: User) => readonly Step[], kinds: readonly CallKind[]): Promise<number> {
  const { plan, failures } = await liveThrough(day)
  expect(failures).toEqual([])
  return plan.calls.filter(({ kind }) => kinds.includes(kind)).length
}

describe.each(CASES)('D3, D5, R3 $name', ({ kinds, fault, days }) => {
  const lived = isTorture ? [shortDay, longDay] : (days ?? [shortDay])
  test.each(lived.map((day) => ({ name: day.name, day })))('at any call of a $name', TIMEOUT, async ({ day }) => {
    const count = await countCalls(day, kinds)
    expect(count).toBeGreaterThan(2)
    const wrong: string[] = []
    for (let nth = 1; nth <= count; nth++) {
      await liveThrough(day, { ...fault, nth, kinds }).catch((error) => wrong.push(`call ${nth}: ${error.message}`))
    }
    expect(wrong).toEqual([])
  })
})

test('a short write that cannot be taken back either leaves a torn line and nothing worse', TIMEOUT, async () => {
  const writes = await countCalls(shortDay, ['write'])
  for (let nth = 1; nth <= writes; nth++) {
    const cannotCut: Fault = { nth: 1, kinds: ['truncate'], outcome: error('EIO'), lasts: 'until-healed' }
    for (const bytes of [1, 150, 400])
      await liveThrough(shortDay, { ...short(bytes), nth, kinds: ['write'] }, cannotCut)
  }
})
