import { appendFileSync, rmSync, statSync } from 'node:fs'
import type { TreelineError } from '@treeline/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IndexWorld } from '../testing/index-world.ts'
import { say } from '../testing/said-in-index.ts'
import { header, message } from '../testing/temp-home.ts'
import type { IndexedSession, ListOptions, SessionIndex } from './session-index.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

/** Sessions `s0`, `s1` … each last active a second after the one before. */
function plant(world: IndexWorld, count: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    world.temp.plant(`s${i}`, header(`s${i}`), { ...message(`prompt ${i}`, 'a1'), timestamp: at(i + 1) }),
  )
}

async function listAll(index: SessionIndex, options: ListOptions): Promise<IndexedSession[]> {
  const all: IndexedSession[] = []
  for (let after: string | undefined; ; ) {
    const { sessions, next } = await index.list({ ...options, after })
    all.push(...sessions)
    if (next === undefined) return all
    after = next
  }
}

const ids = (sessions: readonly IndexedSession[]) => sessions.map(({ id }) => id)

test('a session is listed with what its log says', async () => {
  await using world = new IndexWorld()
  const index = await world.open()
  await using session = await world.store.create({ cwd: '/home/a', title: 'First' })
  await session.append(say.user('How do I sort a list?'))
  await session.append(say.assistant('Use sort().', { input: 100, output: 20, cost: 0.25 }))
  await session.edit({ operations: [{ op: 'session', patch: { tags: ['x'], starred: true } }] })
  const { sessions, pending, next } = await index.list({ fresh: true })
  expect([pending, next]).toEqual([0, undefined])
  const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0, cost: 0.25 }
  const { createdAt, lastActiveAt, ...rest } = sessions[0]!
  expect(createdAt).toBe(session.header.timestamp)
  expect(Date.parse(lastActiveAt!)).toBeGreaterThanOrEqual(Date.parse(createdAt!))
  expect(rest).toEqual({
    id: session.id,
    path: session.path,
    source: 'treeline',
    cwd: '/home/a',
    parentSession: undefined,
    name: 'First',
    firstPrompt: 'How do I sort a list?',
    entryCount: 3,
    messageCount: 2,
    branchCount: 1,
    nodeCount: 2,
    lastSeq: session.seq,
    leafId: session.leafId,
    models: ['demo/large'],
    usage,
    ownUsage: usage,
    isPinned: true,
    isArchived: false,
    isLinear: false,
    tags: ['x'],
    sizeBytes: statSync(session.path).size,
    damageCount: 0,
    problem: undefined,
  })
})

test('pages follow each other without a gap, also among sessions of the same time', async () => {
  await using world = new IndexWorld()
  plant(world, 7)
  for (const id of ['t1', 't2', 't3']) world.temp.plant(id, header(id), { ...message('hi', 'a1'), timestamp: at(4) })
  const index = await world.open()
  const whole = await index.list({ limit: 10 })
  expect(whole.next).toBeUndefined()
  expect(ids(whole.sessions).slice(0, 3)).toEqual(['s6', 's5', 's4'])
  for (const limit of [1, 2, 3, 4, 9]) expect(await listAll(index, { limit })).toEqual(whole.sessions)
})

test('X72 a session is as recent as its latest event, whatever the file and the last line say', async () => {
  await using world = new IndexWorld()
  const [first] = plant(world, 2)
  appendFileSync(first!, `${JSON.stringify({ ...message('later', 'a2', 'a1'), timestamp: at(30) })}\n`)
  appendFileSync(first!, `${JSON.stringify({ ...message('copied', 'a3', 'a2'), timestamp: at(-900) })}\n`)
  appendFileSync(first!, `${JSON.stringify({ ...message('undated', 'a4', 'a3'), timestamp: 'soon' })}\n`)
  const index = await world.open()
  const { sessions } = await index.list()
  expect(sessions.map(({ id, lastActiveAt }) => [id, lastActiveAt])).toEqual([
    ['s0', at(30)],
    ['s1', at(2)],
  ])
})

test('filters: project by header, source, archived, empty, words', async () => {
  await using world = new IndexWorld()
  const { store } = world
  for (const cwd of ['/home/a-b', '/home/a/b']) {
    await using session = await store.create({ cwd })
    await session.append(say.user(`Grüße from ${cwd}`))
  }
  {
    await using hidden = await store.create({ cwd: '/home/c', title: 'Old news' })
    await hidden.append(say.user('hello'))
    await hidden.edit({ operations: [{ op: 'session', patch: { archived: true } }] })
    await using _ = await store.create({ cwd: '/home/d' })
  }
  const index = await world.open()
  const cwds = async (options: ListOptions) => (await index.list(options)).sessions.map(({ cwd }) => cwd).sort()
  expect(await cwds({})).toEqual(['/home/a-b', '/home/a/b'])
  expect(await cwds({ cwd: '/home/a/b' })).toEqual(['/home/a/b'])
  expect(await cwds({ archived: true })).toEqual(['/home/a-b', '/home/a/b', '/home/c'])
  expect(await cwds({ empty: true })).toEqual(['/home/a-b', '/home/a/b', '/home/d'])
  expect(await cwds({ match: 'GRÜSSE' })).toEqual([])
  expect(await cwds({ match: 'GRÜßE a/b' })).toEqual(['/home/a/b'])
  expect(await cwds({ match: 'news', archived: true })).toEqual(['/home/c'])
  expect(await cwds({ match: '%' })).toEqual([])
  expect(await cwds({ source: 'treeline' })).toEqual(['/home/a-b', '/home/a/b'])
  expect(await cwds({ source: 'pi' })).toEqual([])
})

test('R2 bad places in a list and bad limits are refused with a code', async () => {
  await using world = new IndexWorld()
  plant(world, 2)
  const index = await world.open()
  const list = (options: ListOptions) => index.list(options).catch((error: TreelineError) => error.code)
  for (const limit of [0, -1, 1.5, Number.NaN, 1e9]) expect(await list({ limit })).toBe('bad_request')
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.json().map((text) => Buffer.from(text).toString('base64url')),
      ),
      async (after) => {
        const answer = await list({ after })
        expect(typeof answer === 'string' ? answer : answer.sessions.length).toSatisfy(
          (found) => found === 'bad_request' || typeof found === 'number',
        )
      },
    ),
    { numRuns: 100 },
  )
})

test('ids are found by their beginning and end; a whole id names one alone; nothing in them is special', async () => {
  await using world = new IndexWorld()
  const planted = ['abc', 'abcdef', 'xyzdef', 'a%c', 'a_c', '100']
  for (const id of planted) world.temp.plant(`f${planted.indexOf(id)}`, header(id), message('hi', 'a1'))
  const index = await world.open()
  const found = async (part: string) => ids(await index.find(part)).sort()
  expect(await found('abc')).toEqual(['abc'])
  expect(await found('abcd')).toEqual(['abcdef'])
  expect(await found('def')).toEqual(['abcdef', 'xyzdef'])
  expect(await found('a')).toEqual(['a%c', 'a_c', 'abc', 'abcdef'])
  expect(await found('c')).toEqual(['a%c', 'a_c', 'abc'])
  expect(await found('%')).toEqual([])
  expect(await found('_')).toEqual([])
  expect(await found('a_')).toEqual(['a_c'])
  expect(await found('')).toEqual([])
  expect(await found("'; DROP TABLE files --")).toEqual([])
  await using made = await world.store.create({ id: 'new-one' })
  expect(await found('new-')).toEqual([made.id])
})

test('a list answers at once, says what it knows to be out of date, and catches up behind', async () => {
  await using world = new IndexWorld()
  const [first, second] = plant(world, 3)
  const index = await world.open()
  // Behind a list it might catch up with what is yet to come here.
  await index.refresh()
  appendFileSync(first!, `${JSON.stringify({ ...message('later', 'a2', 'a1'), timestamp: at(50) })}\n`)
  rmSync(second!)
  const stale = await index.list()
  expect(ids(stale.sessions)).toEqual(['s2', 's0'])
  expect(stale.pending).toBe(2)
  const fresh = await index.list({ fresh: true })
  expect(ids(fresh.sessions)).toEqual(['s0', 's2'])
  expect(fresh.pending).toBe(0)
})

test('totals count each answer once', async () => {
  await using world = new IndexWorld()
  const index = await world.open()
  await using session = await world.store.create()
  await session.append(say.user('hi'))
  await session.append(say.assistant('yes', { input: 10, output: 1, cost: 0.5 }))
  await using fork = await world.store.fork(session)
  await fork.append(say.assistant('more', { input: 20, output: 2, cost: 0.25 }))
  await index.refresh()
  const { sessions, entries, usage } = await index.totals()
  expect([sessions, entries]).toEqual([2, 5])
  expect(usage).toEqual({ inputTokens: 30, outputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 0, cost: 0.75 })
})
