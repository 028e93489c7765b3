import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GENERATION_TYPE } from '@treeline/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { user } from '../contract/say.ts'
import { openFileStore } from '../file-store.ts'
import { type Home, openHome } from '../home.ts'
import { openIndex } from '../session-index/open-index.ts'
import type { SessionIndex } from '../session-index/session-index.ts'
import { makeTempHome, type TempHome } from '../testing/temp-home.ts'
import { readAudit } from './audit.ts'
import { applyRetention, planRetention, type RetentionPlan } from './retention.ts'
import { listTrash } from './trash-item.ts'

let temp: TempHome
let home: Home
let index: SessionIndex
beforeEach(async () => {
  temp = makeTempHome()
  home = openHome(temp)
  index = await openIndex({ home, worker: false })
})
afterEach(async () => {
  await index.close()
  home.locks.close()
  temp[Symbol.dispose]()
})

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

/** A session whose last event was so many days ago. */
function plant(id: string, days: number, ...more: readonly object[]): string {
  const timestamp = daysAgo(days)
  const message = { role: 'user', content: `words of ${id}`, timestamp: 1 }
  const lines = [
    { type: 'session', version: 3, id, timestamp, cwd: '/p' },
    { type: 'message', id: 'e1', parentId: null, timestamp, message },
    ...more.map((line) => ({ parentId: 'e1', timestamp, ...line })),
  ]
  return temp.plant(id, ...lines)
}

const star = { type: 'custom', id: 'x1', customType: 'treeline/edit' }
const starred = {
  ...star,
  data: { ops: [{ op: 'session', patch: { starred: true } }], inverse: [{ op: 'session', patch: { starred: null } }] },
}
const generation = { type: 'custom', id: 'g1', customType: GENERATION_TYPE }

const removed = ({ remove }: RetentionPlan) => remove.map(({ sessionId }) => sessionId).sort()
const kept = ({ keep }: RetentionPlan) => Object.fromEntries(keep.map(({ sessionId, why }) => [sessionId, why]))

test('N78, X72 old by the last event and not by the time of the file; nothing is touched by the plan', async () => {
  const old = plant('old', 40)
  const young = plant('young', 5)
  utimesSync(old, new Date(), new Date())
  utimesSync(young, new Date(0), new Date(0))
  const plan = await planRetention(home, index, { olderThanDays: 30 })
  expect(removed(plan)).toEqual(['old'])
  expect(plan.sizeBytes).toBe(readFileSync(old).length)
  expect(kept(plan)).toEqual({ young: 'recent' })
  expect([old, young].every((path) => existsSync(path))).toBe(true)
  expect(await readAudit(home)).toEqual([])
  const { trashed, skipped } = await applyRetention(home, plan)
  expect([trashed.length, skipped.length]).toEqual([1, 0])
  expect([existsSync(old), existsSync(young)]).toEqual([false, true])
  expect((await listTrash(home)).map(({ sessionId, reason }) => [sessionId, reason])).toEqual([['old', 'retention']])
  expect(await readAudit(home)).toMatchObject([{ action: 'trash', sessionIds: ['old'], reason: 'retention' }])
})

test('X15 pinned and open sessions, unfinished answers and what cannot be judged stay, and it is said why', async () => {
  plant('old', 40)
  plant('pinned', 40, starred)
  plant('generating', 40, { ...generation, data: { nodeId: 'n1', parentId: 'e1', model: 'm' } })
  temp.plant('nothing')
  temp.plant('rubbish', 'no session\n')
  plant('open', 40)
  await using store = await openFileStore(temp)
  await using _open = await store.open('open')
  const plan = await planRetention(home, index, { olderThanDays: 30 })
  expect(removed(plan)).toEqual(['old'])
  expect(kept(plan)).toMatchObject({ pinned: 'pinned', generating: 'generating', open: 'open' })
  expect(plan.keep.filter(({ why }) => why === 'unknown')).toHaveLength(2)
})

test('the last of every project stay when asked for, and only the project asked for is looked at', async () => {
  for (const [id, days] of Object.entries({ a: 40, b: 50, c: 60 })) plant(id, days)
  const timestamp = daysAgo(70)
  temp.plant('other', { type: 'session', version: 3, id: 'other', timestamp, cwd: '/q' })
  const both = await planRetention(home, index, { olderThanDays: 30, keepLast: 1 })
  expect(removed(both)).toEqual(['b', 'c'])
  expect(kept(both)).toEqual({ a: 'latest', other: 'latest' })
  const one = await planRetention(home, index, { olderThanDays: 30, cwd: '/q' })
  expect(removed(one)).toEqual(['other'])
  expect(one.keep).toEqual([])
})

test('a session of which a fork stays goes: the fork has everything', async () => {
  plant('parent', 40)
  const fork = { type: 'session', version: 3, id: 'fork', timestamp: daysAgo(1), cwd: '/p', parentSession: 'parent' }
  temp.plant('fork', fork)
  expect(removed(await planRetention(home, index, { olderThanDays: 30 }))).toEqual(['parent'])
})

test('R1 what was opened, continued, replaced or removed since the plan is left alone, and told', async () => {
  const paths = ['changed', 'open', 'gone', 'replaced', 'same'].map((id) => plant(id, 40))
  const plan = await planRetention(home, index, { olderThanDays: 30 })
  expect(plan.remove).toHaveLength(5)
  await using store = await openFileStore(temp)
  const changed = await store.open('changed')
  await changed.append(user('I am back'))
  await changed.close()
  await using _open = await store.open('open')
  await home.storage.unlink(paths[2]!)
  const bytes = readFileSync(paths[3]!)
  await home.storage.writeText(paths[3]!, bytes.toString())
  const { trashed, skipped } = await applyRetention(home, plan)
  expect(trashed.map(({ sessionId }) => sessionId)).toEqual(['same'])
  expect(skipped.map(({ path }) => path).sort()).toEqual([paths[0], paths[1], paths[2], paths[3]].sort())
  expect([paths[0], paths[1], paths[3]].every((path) => existsSync(path!))).toBe(true)
})

test('K3 a plan that names other files moves none of them', async () => {
  const foreign = join(temp.outside, 'x_s.jsonl')
  writeFileSync(foreign, '{}')
  const { identity, size } = home.storage.statSync(foreign)
  const planned = { path: foreign, sessionId: 's', lastActiveAt: '', identity, sizeBytes: size }
  const { trashed, skipped } = await applyRetention(home, { remove: [planned] })
  expect([trashed.length, skipped.length]).toEqual([0, 1])
  expect(existsSync(foreign)).toBe(true)
})

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('%s is no number of days', async (olderThanDays) => {
  await expect(planRetention(home, index, { olderThanDays })).rejects.toMatchObject({ code: 'validation_failed' })
})

test('it shows how far it is, and stops when it is told to', async () => {
  for (const id of ['a', 'b', 'c']) plant(id, 40)
  const done: number[] = []
  const plan = await planRetention(home, index, {
    olderThanDays: 30,
    onProgress: (progress) => done.push(progress.done),
  })
  expect(done).toEqual([0, 1, 2, 3])
  const stop = new AbortController()
  const onProgress = () => stop.abort()
  await expect(applyRetention(home, plan, { signal: stop.signal, onProgress })).rejects.toThrow('abort')
  expect(await listTrash(home)).toHaveLength(1)
})
