import { appendFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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

test('an old session that is gone on with is found by the next full look, and when the last one is too long ago', async () => {
  const { index, paths } = await openFilled(70)
  await index.refresh()
  appendFileSync(paths[0]!, toText([message('more', 'a2', 'a1')]))
  expect((await look(index)).indexed).toBe(0)
  expect((await index.refresh({ withinMs: 0 })).indexed + (await index.refresh()).indexed).toBe(1)
})

test('other sources than last time are looked at', async () => {
  const { temp, index } = await openFilled(1)
  await index.refresh()
  const { folderSource } = await import('./folder-source.ts')
  await using other = await openTempIndex(temp, folderSource({ name: 'pi', folders: [temp.outside], home: temp.home }))
  writeFileSync(join(temp.outside, 'theirs.jsonl'), toText([header('theirs'), message('hello', 'a1')]))
  expect((await look(other)).indexed).toBe(1)
})
