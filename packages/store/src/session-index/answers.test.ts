import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nextMillisecond } from '../contract/next-millisecond.ts'
import { IndexWorld } from '../testing/index-world.ts'
import { say } from '../testing/said-in-index.ts'
import { header, message } from '../testing/temp-home.ts'
import type { SessionIndex } from './session-index.ts'

const costs = async (index: SessionIndex) => {
  const { sessions } = await index.list({ fresh: true })
  return Object.fromEntries(sessions.map(({ id, usage, ownUsage }) => [id, [usage.cost, ownUsage.cost]]))
}

/** An original that paid 1, a fork of it that paid 2 more, and a fork of that which paid 4 more. */
async function forkTwice(world: IndexWorld): Promise<Readonly<Record<'original' | 'fork' | 'again', string>>> {
  await using original = await world.store.create({ id: 'original' })
  await original.append(say.user('hi'))
  await original.append(say.assistant('one', { input: 1, output: 1, cost: 1 }))
  await nextMillisecond()
  await using fork = await world.store.fork(original, { id: 'fork' })
  await fork.append(say.assistant('two', { input: 2, output: 2, cost: 2 }))
  await nextMillisecond()
  await using again = await world.store.fork(fork, { id: 'again' })
  await again.append(say.assistant('four', { input: 4, output: 4, cost: 4 }))
  return { original: original.path, fork: fork.path, again: again.path }
}

const ALL = { original: [1, 1], fork: [3, 2], again: [7, 4] }

test('a fork pays for what it added; the rest counts where it was said first', async () => {
  await using world = new IndexWorld()
  await forkTwice(world)
  expect(await costs(await world.open())).toEqual(ALL)
})

test('I7 a log that claims more than a number holds hides no other', async () => {
  await using world = new IndexWorld()
  await forkTwice(world)
  const usage = { input: 1e12, cacheRead: 5 }
  const lines = Array.from({ length: 9100 }, (_, i) => ({
    ...message('much', `a${i}`),
    message: { role: 'assistant', content: [], usage },
  }))
  world.temp.plant('claims', header('claims'), message('hi', 'u'), ...lines)
  world.temp.plant('more', header('more'), message('hi', 'u'), { ...lines[0], id: 'b' })
  const index = await world.open()
  expect(await costs(index)).toMatchObject(ALL)
  const most = Number.MAX_SAFE_INTEGER
  const [session] = await index.find('claims')
  expect(session?.usage).toMatchObject({ inputTokens: most, cacheReadTokens: 45_500 })
  expect(await index.totals()).toMatchObject({ sessions: 5, usage: { inputTokens: most, cacheReadTokens: 45_505 } })
})

test('the sums are the same in whatever order logs are found, go and come back', async () => {
  await using world = new IndexWorld()
  const paths = await forkTwice(world)
  const away = (name: keyof typeof paths) => join(world.temp.outside, name)
  const index = await world.open()
  for (const name of ['original', 'fork', 'again'] as const) renameSync(paths[name], away(name))
  expect(await costs(index)).toEqual({})
  renameSync(away('again'), paths.again)
  expect(await costs(index)).toEqual({ again: [7, 7] })
  renameSync(away('original'), paths.original)
  expect(await costs(index)).toEqual({ again: [7, 6], original: [1, 1] })
  renameSync(away('fork'), paths.fork)
  expect(await costs(index)).toEqual(ALL)
  renameSync(paths.original, away('original'))
  expect(await costs(index)).toEqual({ fork: [3, 3], again: [7, 4] })
  rmSync(paths.fork)
  expect(await costs(index)).toEqual({ again: [7, 7] })
  renameSync(away('original'), paths.original)
  expect(await costs(index)).toEqual({ again: [7, 6], original: [1, 1] })
  await world.expectAsFresh()
})

test('a copy of a log pays for nothing', async () => {
  await using world = new IndexWorld()
  const { original } = await forkTwice(world)
  copyFileSync(original, original.replace('_original', '_zcopy'))
  const index = await world.open()
  await index.refresh()
  expect((await index.totals()).usage.cost).toBe(7)
  await world.expectAsFresh()
})

test('usage that is no usage is left out', async () => {
  await using world = new IndexWorld()
  await using session = await world.store.create({ id: 's' })
  await session.append(say.user('hi'))
  const bad = [
    null,
    'much',
    [],
    { input: '5' },
    { input: -5, cost: { total: -1 } },
    { input: Number.MAX_VALUE, cost: 3 },
  ]
  for (const usage of bad) {
    const draft = say.assistant('x')
    await session.append({ ...draft, message: { ...(draft.message as object), usage } })
  }
  await session.append({
    type: 'usage',
    kind: 'title',
    provider: 'p',
    model: 'm',
    usage: { input: 3, cost: { total: 2 } },
  })
  expect(await costs(await world.open())).toEqual({ s: [2, 2] })
})
