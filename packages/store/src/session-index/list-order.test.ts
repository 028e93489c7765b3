import { expect, test } from 'vitest'
import { IndexWorld } from '../testing/index-world.ts'
import { header, message } from '../testing/temp-home.ts'
import { hasWords } from './has-words.ts'
import type { ListOptions, ListOrder, SessionIndex } from './session-index.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

/** Each was begun later, went on earlier, says less, and comes sooner in a dictionary than the one before. */
function plant(world: IndexWorld, count: number): void {
  for (let i = 0; i < count; i++) {
    const text = `${String.fromCharCode(122 - i)} ${'x'.repeat((count - i) * 10)}`
    const begun = { ...header(`s${i}`), timestamp: at(i) }
    world.temp.plant(`s${i}`, begun, { ...message(text, 'a1'), timestamp: at(100 - i) })
  }
}

/** A page of two after the other. */
async function listAll(index: SessionIndex, options: ListOptions): Promise<(string | undefined)[]> {
  const ids: (string | undefined)[] = []
  for (let after: string | undefined; ; ) {
    const { sessions, next } = await index.list({ ...options, limit: 2, after, refreshed: true })
    ids.push(...sessions.map(({ id }) => id))
    if (next === undefined) return ids
    after = next
  }
}

test.each<[ListOrder, readonly string[]]>([
  ['active', ['s0', 's1', 's2', 's3', 's4']],
  ['created', ['s4', 's3', 's2', 's1', 's0']],
  ['size', ['s0', 's1', 's2', 's3', 's4']],
  ['name', ['s4', 's3', 's2', 's1', 's0']],
])('pages by %s hold every session once and in order, with a project, with words and without', async (order, ids) => {
  await using world = new IndexWorld()
  plant(world, 5)
  const index = await world.open()
  await index.refresh()
  for (const options of [{}, { cwd: '/p' }, { match: 'xx' }, { match: 'x', cwd: '/p' }]) {
    expect(await listAll(index, { ...options, order })).toEqual(ids)
    expect(await listAll(index, { ...options, order, reversed: true })).toEqual(ids.toReversed())
  }
})

test('a name goes before a first prompt, and upper case is not another alphabet', async () => {
  await using world = new IndexWorld()
  for (const [id, title, prompt] of [
    ['s1', 'beta', 'zzz'],
    ['s2', 'Alpha', 'yyy'],
    ['s3', '  ', 'Ante'],
  ] as const) {
    world.temp.plant(id, { ...header(id), title }, message(prompt, 'a1'))
  }
  const index = await world.open()
  await index.refresh()
  expect(await listAll(index, { order: 'name' })).toEqual(['s2', 's3', 's1'])
})

test('a tag is a whole word of its own, whatever it holds', async () => {
  await using world = new IndexWorld()
  for (const [title, tags] of [
    ['one', ['work', '"odd" \\ %']],
    ['two', ['workshop']],
  ] as const) {
    await using session = await world.store.create({ title })
    await session.append({ type: 'message', message: { role: 'user', content: title, timestamp: 0 } })
    await session.edit({ operations: [{ op: 'session', patch: { tags } }] })
  }
  const index = await world.open()
  const named = async (tag: string) => (await index.list({ tag, fresh: true })).sessions.map(({ name }) => name)
  expect([await named('work'), await named('"odd" \\ %'), await named('wor')]).toEqual([['one'], ['one'], []])
})

test('an order that there is not is refused', async () => {
  await using world = new IndexWorld()
  const index = await world.open()
  await expect(index.list({ order: 'colour' as ListOrder })).rejects.toMatchObject({ code: 'validation_failed' })
})

test('fuzzy finds letters in order with two others between at most, of three letters on', () => {
  const has = (text: string, ...words: string[]) => hasWords(text, words, true)
  expect(has('Parser rewrite', 'prsr')).toBe(true)
  expect(has('Parser rewrite', 'prsr', 'rwrt')).toBe(true)
  expect(has('a ticket', 'tkt')).toBe(true)
  expect(has('ttxxt', 'ttt')).toBe(true)
  expect(has('p a r s e r', 'psr')).toBe(false)
  expect(has('parser', 'pr')).toBe(false)
  expect(has('Parser', 'rsp')).toBe(false)
  expect(hasWords('Parser', ['prsr'])).toBe(false)
  expect(hasWords('Parser', ['arse', 'par'])).toBe(true)
})
