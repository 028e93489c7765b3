import { appendFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openFileStore } from '../file-store.ts'
import { homePaths } from '../paths.ts'
import type { SessionStore } from '../store.ts'
import { header, makeTempHome, message, type TempHome, toText } from '../testing/temp-home.ts'
import { openTempIndex } from '../testing/temp-index.ts'
import type { SessionIndex } from './session-index.ts'

const LONG_AGO = new Date(2020, 1, 1)
const WITHIN_MS = 600_000

/** More sessions than are looked at one by one, in a folder that has not changed for long. */
async function openFilled(count: number): Promise<{ temp: TempHome; index: SessionIndex; paths: string[] }> {
  const temp = makeTempHome()
  const paths = Array.from({ length: count }, (_, i) => {
    const time = new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString()
    return temp.plant(`s${i}`, header(`s${i}`), { ...message(`prompt ${i}`, 'a1'), timestamp: time })
  })
  const index = await openTempIndex(temp)
  onTestFinished(async () => {
    await index[Symbol.asyncDispose]()
    temp[Symbol.dispose]()
  })
  for (const dir of [dirname(paths[0]!), dirname(dirname(paths[0]!))]) utimesSync(dir, LONG_AGO, LONG_AGO)
  return { temp, index, paths }
}

const look = (index: SessionIndex) => index.refresh({ withinMs: WITHIN_MS })

test('a look is enough when nothing changed, and finds what is new, gone, or gone on with', async () => {
  const { temp, index, paths } = await openFilled(3)
  expect((await index.refresh()).indexed).toBe(3)
  expect(await look(index)).toEqual({ indexed: 0, removed: 0, problems: [] })
  appendFileSync(paths[2]!, toText([message('more', 'a2', 'a1')]))
  expect((await look(index)).indexed).toBe(1)
  temp.plant('new', header('new'), message('hello', 'a1'))
  expect((await look(index)).indexed).toBe(1)
  rmSync(paths[0]!)
  expect((await look(index)).removed).toBe(1)
})

test('the first session in a folder that was empty is found', async () => {
  const { index, paths } = await openFilled(1)
  const empty = join(dirname(dirname(paths[0]!)), '--empty--')
  mkdirSync(empty)
  for (const dir of [empty, dirname(empty)]) utimesSync(dir, LONG_AGO, LONG_AGO)
  await index.refresh()
  writeFileSync(join(empty, 'first.jsonl'), toText([header('first'), message('hello', 'a1')]))
  expect((await look(index)).indexed).toBe(1)
})

test('a folder that changed in the moment of the sweep is not trusted', async () => {
  const { temp, index } = await openFilled(1)
  temp.plant('just-now', header('just-now'), message('hello', 'a1'))
  await index.refresh()
  // Were the folder trusted, a session begun within the same tick would be missed.
  temp.plant('same-tick', header('same-tick'), message('hello', 'a1'))
  expect((await look(index)).indexed).toBe(1)
})

test('an old session that another tool goes on with is found by the next full look, and when the last one is too long ago', async () => {
  const { index, paths } = await openFilled(70)
  await index.refresh()
  appendFileSync(paths[0]!, toText([message('more', 'a2', 'a1')]))
  expect((await look(index)).indexed).toBe(0)
  expect((await index.refresh({ withinMs: 0 })).indexed + (await index.refresh()).indexed).toBe(1)
})

/** A process that writes: what it has open it says where the last look may see it. */
async function openWriter(temp: TempHome): Promise<SessionStore> {
  const store = await openFileStore({ home: temp.home })
  onTestFinished(() => store.close())
  return store
}

/** As if whoever has sessions open now had opened them long ago. */
function ageMarks({ home }: TempHome): void {
  utimesSync(homePaths(home).presence, LONG_AGO, LONG_AGO)
}

test('an old session that we write to ends the quick look, whether it was open before or not', async () => {
  const { temp, index } = await openFilled(70)
  const store = await openWriter(temp)
  const [kept, closed] = [await store.open('s1'), await store.open('s2')]
  ageMarks(temp)
  await index.refresh()
  await kept.rename('open all along')
  expect((await look(index)).indexed).toBe(1)
  await kept.rename('and again')
  expect((await look(index)).indexed).toBe(1)
  await closed.rename('closed since')
  await closed.close()
  expect((await look(index)).indexed).toBe(1)

  ageMarks(temp)
  await index.refresh()
  const opened = await store.open('s0')
  await opened.rename('opened since')
  expect((await look(index)).indexed).toBe(1)
})

test('a session of another tool that we go on with in place ends it too', async () => {
  const { temp } = await openFilled(70)
  const path = join(temp.outside, 'theirs.jsonl')
  writeFileSync(path, toText([header('theirs'), { ...message('hello', 'a1'), timestamp: '2025-01-01T00:00:00.000Z' }]))
  utimesSync(temp.outside, LONG_AGO, LONG_AGO)
  utimesSync(dirname(temp.outside), LONG_AGO, LONG_AGO)
  const { folderSource } = await import('./folder-source.ts')
  await using index = await openTempIndex(temp, folderSource({ name: 'pi', folders: [temp.outside], home: temp.home }))
  const store = await openWriter(temp)
  const session = await store.openPath(path, { inPlace: true })
  ageMarks(temp)
  await index.refresh()
  await session.append({ type: 'message', message: { role: 'user', content: 'more' } })
  expect((await look(index)).indexed).toBe(1)
})

test('a session that is open does not end it', async () => {
  const { temp, index, paths } = await openFilled(70)
  const store = await openWriter(temp)
  await store.open('s0')
  ageMarks(temp)
  await index.refresh()
  // Were everything looked at, this would be found.
  appendFileSync(paths[1]!, toText([message('by another tool', 'a2', 'a1')]))
  expect((await look(index)).indexed).toBe(0)
})

test('where it cannot be known what is open, everything is looked at', async () => {
  const { temp, index, paths } = await openFilled(70)
  const { presence } = homePaths(temp.home)
  writeFileSync(presence, 'no folder')
  ageMarks(temp)
  await index.refresh()
  appendFileSync(paths[0]!, toText([message('more', 'a2', 'a1')]))
  expect((await look(index)).indexed).toBe(1)
})

test('other sources than last time are looked at', async () => {
  const { temp, index } = await openFilled(1)
  await index.refresh()
  const { folderSource } = await import('./folder-source.ts')
  await using other = await openTempIndex(temp, folderSource({ name: 'pi', folders: [temp.outside], home: temp.home }))
  writeFileSync(join(temp.outside, 'theirs.jsonl'), toText([header('theirs'), message('hello', 'a1')]))
  expect((await look(other)).indexed).toBe(1)
})
