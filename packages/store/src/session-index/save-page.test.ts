import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { applyScrub } from '../doctor/scrub/apply-scrub.ts'
import { planScrub } from '../doctor/scrub/scrub-plan.ts'
import { openHome } from '../home.ts'
import { LockDatabase } from '../locks/lock-database.ts'
import { homePaths } from '../paths.ts'
import { header, makeTempHome, message, type TempHome } from '../testing/temp-home.ts'
import { openTempIndex } from '../testing/temp-index.ts'
import { discardIndex } from './discard-index.ts'
import { findPage } from './find-page.ts'
import type { SessionIndex } from './session-index.ts'

const LONG_AGO = new Date(2020, 1, 1)
const withinMs = 600_000

async function openOld(): Promise<{ temp: TempHome; index: SessionIndex; find: (key: string) => string | undefined }> {
  const temp = makeTempHome()
  temp.plant('s1', header('s1'), message('a secret word', 'a1'))
  const { sessions } = homePaths(temp.home)
  for (const name of readdirSync(sessions)) utimesSync(`${sessions}/${name}`, LONG_AGO, LONG_AGO)
  utimesSync(sessions, LONG_AGO, LONG_AGO)
  const index = await openTempIndex(temp)
  onTestFinished(async () => {
    await index[Symbol.asyncDispose]()
    temp[Symbol.dispose]()
  })
  await index.refresh()
  return { temp, index, find: (key) => findPage({ home: temp.home, key, withinMs })?.toString() }
}

const page = (text: string) => async () => Buffer.from(text)

test('a page is found by its key until another one is kept', async () => {
  const { index, find } = await openOld()
  expect(find('a')).toBeUndefined()
  await index.keepPage('a', page('the page'))
  expect([find('a'), find('b')]).toEqual(['the page', undefined])
  await index.keepPage('b', page('another'))
  expect([find('a'), find('b')]).toEqual([undefined, 'another'])
  await index.keepPage('b', async () => undefined)
  expect(find('b')).toBe('another')
})

test('what was read from an index that somebody wrote to meanwhile is not kept', async () => {
  const { temp, index, find } = await openOld()
  await using other = await openTempIndex(temp)
  await index.keepPage('a', async () => {
    await other.refresh()
    return Buffer.from('of before')
  })
  expect(find('a')).toBeUndefined()
  await index.keepPage('a', async () => {
    await discardIndex({ paths: homePaths(temp.home) })
    return Buffer.from('of one that is gone')
  })
  expect(find('a')).toBeUndefined()
})

test('whoever writes to the index removes the page before, also what a killed process left of one', async () => {
  const { temp, index, find } = await openOld()
  const { savedPage } = homePaths(temp.home)
  await index.keepPage('a', page('the page'))
  writeFileSync(`${savedPage}.tmp`, 'half a pa')
  await index.refresh()
  expect([find('a'), existsSync(savedPage), existsSync(`${savedPage}.tmp`)]).toEqual([undefined, false, false])
  await index.keepPage('a', page('the page'))
  await discardIndex({ paths: homePaths(temp.home) })
  expect(existsSync(savedPage)).toBe(false)
})

test('nobody waits to keep a page, nor hears of it when it cannot be kept', async () => {
  const { temp, index, find } = await openOld()
  const { indexLock, savedPage } = homePaths(temp.home)
  const lock = new LockDatabase(indexLock)
  expect(lock.tryLock()).toBe(true)
  await index.keepPage('a', page('the page'))
  expect(find('a')).toBeUndefined()
  lock.close()
  mkdirSync(`${savedPage}.tmp`)
  await index.keepPage('a', page('the page'))
  expect(find('a')).toBeUndefined()
})

test('I6 a folder in its place stops nobody', async () => {
  const { temp, index, find } = await openOld()
  const { savedPage } = homePaths(temp.home)
  mkdirSync(savedPage)
  mkdirSync(`${savedPage}.tmp`)
  await expect(index.refresh()).resolves.toMatchObject({ problems: [] })
  await index.keepPage('a', page('the page'))
  expect(find('a')).toBeUndefined()
})

test('a page that is too long for one is not kept', async () => {
  const { index, find } = await openOld()
  await index.keepPage('a', async () => Buffer.alloc(3_000_000, 'x'))
  expect(find('a')).toBeUndefined()
})

test('a scrub leaves no page that holds the secret', async () => {
  const { temp, index } = await openOld()
  const { savedPage } = homePaths(temp.home)
  await index.keepPage('a', page('a secret word'))
  using home = openHome({ home: temp.home })
  const plan = await planScrub(home, 'secret word')
  expect(plan.places.map(({ path }) => path)).toContain(savedPage)
  await applyScrub(home, plan, { confirm: true })
  expect(existsSync(savedPage)).toBe(false)
})
