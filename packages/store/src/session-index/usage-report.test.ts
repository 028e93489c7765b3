import { expect, test } from 'vitest'
import { nextMillisecond } from '../contract/next-millisecond.ts'
import { IndexWorld } from '../testing/index-world.ts'
import { say } from '../testing/said-in-index.ts'
import { header, message } from '../testing/temp-home.ts'

const answer = (id: string, timestamp: string | undefined, model: string, cost: number) => ({
  type: 'message',
  id,
  parentId: 'u',
  ...(timestamp !== undefined && { timestamp }),
  message: {
    role: 'assistant',
    provider: 'demo',
    model,
    content: [],
    usage: { input: cost * 10, output: cost, cacheRead: 0, cacheWrite: 0, cost: { total: cost } },
  },
})

test('usage is told by source, model and day, and by the sessions that cost most', async () => {
  await using world = new IndexWorld()
  const at = (day: string) => `2026-03-${day}T12:00:00.000Z`
  world.temp.plant('cheap', header('cheap'), message('hi', 'u'), answer('a', at('01'), 'small', 1))
  world.temp.plant(
    'dear',
    header('dear'),
    message('hi', 'u'),
    answer('b', at('01'), 'large', 4),
    answer('c', at('02'), 'large', 8),
    { type: 'compaction', id: 'd', parentId: 'c', timestamp: at('02'), summary: 's', usage: { input: 5, output: 5 } },
  )
  const index = await world.open()
  const { groups, sessions, sessionCount } = await index.usage({ fresh: true })
  expect(groups.map(({ source, model, day, answers, usage }) => [source, model, day, answers, usage.cost])).toEqual([
    ['treeline', undefined, '2026-03-02', 1, 0],
    ['treeline', 'demo/large', '2026-03-01', 1, 4],
    ['treeline', 'demo/large', '2026-03-02', 1, 8],
    ['treeline', 'demo/small', '2026-03-01', 1, 1],
  ])
  expect(sessions.map(({ session, answers, usage }) => [session.id, answers, usage.inputTokens])).toEqual([
    ['dear', 3, 125],
    ['cheap', 1, 10],
  ])
  expect(sessionCount).toBe(2)

  const second = await index.usage({ since: '2026-03-02T00:00:00Z', until: '2026-03-03T00:00:00Z', limit: 1 })
  expect(second.groups.map(({ usage }) => usage.cost)).toEqual([0, 8])
  expect(second.sessionCount).toBe(1)
  expect((await index.usage({ cwd: '/elsewhere' })).groups).toEqual([])
  expect((await index.usage({ source: 'nobody' })).groups).toEqual([])
  await expect(index.usage({ since: 'soon' })).rejects.toMatchObject({ code: 'validation_failed' })
  await expect(index.usage({ limit: 0 })).rejects.toMatchObject({ code: 'bad_request' })
})

test('what a fork copied is counted once, for the session that was there first', async () => {
  await using world = new IndexWorld()
  await using original = await world.store.create({ id: 'original' })
  await original.append(say.user('hi'))
  await original.append(say.assistant('one', { input: 1, output: 1, cost: 1 }))
  await nextMillisecond()
  await using fork = await world.store.fork(original, { id: 'fork' })
  await fork.append(say.assistant('two', { input: 2, output: 2, cost: 2 }))
  const index = await world.open()
  const { groups, sessions } = await index.usage({ fresh: true })
  expect(groups).toMatchObject([{ model: 'demo/large', answers: 2, usage: { cost: 3 } }])
  expect(sessions.map(({ session, usage }) => [session.id, usage.cost])).toEqual([
    ['fork', 2],
    ['original', 1],
  ])
})

test('I7 an answer without a time has no day, and a model may be called anything', async () => {
  await using world = new IndexWorld()
  const timeless = { type: 'session', version: 3, id: 's', cwd: '/p' }
  const odd = `\ud800\0${'x'.repeat(300)}`
  world.temp.plant('s', timeless, answer('a', undefined, odd, 1), answer('b', '+099999-01-01T00:00:00.000Z', odd, 1))
  const { groups } = await (await world.open()).usage({ fresh: true })
  expect(groups.map(({ day, answers }) => [day, answers])).toEqual([[undefined, 2]])
  expect(groups[0]!.model).toMatch(/^demo\/\ufffd\ufffdx+$/)
})

test('a list is limited to the sessions that were active in a time', async () => {
  await using world = new IndexWorld()
  for (const day of ['01', '02', '03']) {
    const said = { ...message('hi', 'u'), timestamp: `2026-03-${day}T00:00:00.000Z` }
    world.temp.plant(day, header(day), said)
  }
  const index = await world.open()
  const since = '2026-03-02T00:00:00Z'
  const ids = async (options: object) => (await index.list({ fresh: true, ...options })).sessions.map(({ id }) => id)
  expect(await ids({ since })).toEqual(['03', '02'])
  expect(await ids({ until: since })).toEqual(['01'])
  expect(await ids({ since, until: '2026-03-03' })).toEqual(['02'])
  await expect(index.list({ until: 'later' })).rejects.toMatchObject({ code: 'validation_failed' })
})
