import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TreelineError } from '@treeline/core'
import { expect, test } from 'vitest'
import { openDatabase } from '../sqlite.ts'
import { seededRandom } from '../testing/crash-storage.ts'
import { IndexWorld } from '../testing/index-world.ts'
import { say } from '../testing/said-in-index.ts'
import { header, message } from '../testing/temp-home.ts'
import { amount } from '../torture/amounts.ts'
import { discardIndex } from './discard-index.ts'
import type { SessionIndex } from './session-index.ts'

const plant = (world: IndexWorld, count: number) => {
  for (let i = 0; i < count; i++) world.temp.plant(`s${i}`, header(`s${i}`), message(`prompt number ${i}`, 'a1'))
}
const idsIn = async (index: SessionIndex) => (await index.list()).sessions.map(({ id }) => id).sort()

test('the first question builds the index', async () => {
  await using world = new IndexWorld()
  plant(world, 3)
  expect(await idsIn(await world.open())).toEqual(['s0', 's1', 's2'])
  expect(await (await world.open()).totals()).toMatchObject({ sessions: 3, entries: 3 })
  expect(await (await world.open()).find('s1')).toMatchObject([{ id: 's1' }])
})

test('what was said is found, on every branch', async () => {
  await using world = new IndexWorld()
  const index = await world.open()
  await using session = await world.store.create({ cwd: '/work' })
  const first = await session.append(say.user('the capital of Japan'))
  await session.append(say.assistant('東京 it is'))
  await session.append(say.user('another capital'), { parentId: first.id })
  const { hits } = await index.search('capital', { fresh: true })
  expect(hits.map(({ nodeId, sessionId }) => [nodeId, sessionId])).toHaveLength(2)
  expect((await index.search('東京')).hits).toHaveLength(1)
})

test.each([
  ['is of another version', (path: string) => change(path, "UPDATE meta SET value = '0' WHERE key = 'version'")],
  ['is no database', (path: string) => writeFileSync(path, 'not a database, but quite long. '.repeat(500))],
  ['is empty', (path: string) => writeFileSync(path, '')],
  ['lacks a table', (path: string) => change(path, 'DROP TABLE nodes; DROP TABLE files')],
  ['is cut short', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 9000))],
  ['holds what cannot be', (path: string) => change(path, "UPDATE files SET tags = 'x', entry_count = 'many'")],
  ['is gone', (path: string) => rmSync(path)],
])('I6 an index that %s is built anew, and nobody hears of it', async (_, spoil) => {
  await using world = new IndexWorld()
  plant(world, 3)
  await (await world.open()).refresh()
  const open = await world.open()
  await using closed = await world.open()
  await closed.refresh()
  await closed.close()
  spoil(world.indexFile)
  const index = await world.open()
  expect(await idsIn(index)).toEqual(['s0', 's1', 's2'])
  await index.refresh()
  await world.expectAsFresh()
  expect(await idsIn(open)).toEqual(['s0', 's1', 's2'])
})

test('I6 random damage to the index never reaches the user', async () => {
  await using world = new IndexWorld()
  plant(world, 20)
  const kept = join(world.temp.outside, 'kept.db')
  {
    await using index = await world.open()
    await index.refresh()
  }
  copyFileSync(world.indexFile, kept)
  const good = readFileSync(kept)
  const random = seededRandom(7)
  for (let i = 0; i < amount(12, 2000); i++) {
    const bytes = Buffer.from(good)
    const at = Math.floor(random() * bytes.length)
    bytes.fill(Math.floor(random() * 256), at, at + 1 + Math.floor(random() * 3000))
    writeFileSync(world.indexFile, bytes)
    await using index = await world.open()
    await index.list({ limit: 100 })
    await index.search('prompt number')
    await index.find('s3')
    await index.totals()
    world.temp.plant('s1', header('s1'), message(`changed ${i}`, 'a1'))
    await index.refresh()
    expect((await index.list({ match: `changed ${i}` })).sessions).toHaveLength(1)
  }
})

test('I6 an index that is deleted or replaced while it is open is noticed with the next question', async () => {
  await using world = new IndexWorld()
  plant(world, 3)
  const index = await world.open()
  await index.refresh()
  await discardIndex(world.home)
  expect(await idsIn(index)).toEqual(['s0', 's1', 's2'])
  for (const ending of ['', '-wal', '-shm']) rmSync(`${world.indexFile}${ending}`, { force: true })
  expect((await index.search('prompt')).hits).toHaveLength(3)
  copyFileSync(world.indexFile, `${world.indexFile}.copy`)
  renameSync(`${world.indexFile}.copy`, world.indexFile)
  expect(await index.find('s2')).toHaveLength(1)
  await index.refresh()
  await world.expectAsFresh()
})

test('R2 a folder that cannot be used is told with a code and what to do', async () => {
  await using world = new IndexWorld()
  writeFileSync(world.home.paths.index, 'in the way')
  const error = await world.open().catch((failed: TreelineError) => failed)
  expect(error).toMatchObject({ code: 'forbidden', message: expect.stringContaining('check the owner') })
})

test('R2 a closed index says so; closing it stops what runs', async () => {
  await using world = new IndexWorld()
  plant(world, 50)
  const index = await world.open()
  const running = Promise.allSettled([index.refresh(), index.list(), index.search('x')])
  await index.close()
  for (const asked of await running) expect(asked).toMatchObject({ reason: { code: 'bad_request' } })
  for (const asked of [index.list(), index.refresh(), index.find('x'), index.totals(), index.search('x')]) {
    await expect(asked).rejects.toMatchObject({ code: 'bad_request' })
  }
  await using another = await world.open()
  await another.refresh()
  await world.expectAsFresh()
})

function change(path: string, sql: string): void {
  const db = openDatabase(path)
  db.exec(sql)
  db.close()
}
