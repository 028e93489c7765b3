import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { type IndexedSession, openFileStore } from '@treeline/store'
import { expect, test } from 'vitest'
import { tempFolder } from '../../testing/run-treeline.ts'
import { SessionBrowser } from './session-browser.ts'
import { browseHome, nameOf } from './testing/browse-home.ts'
import { type Planted, plantSessions } from './testing/plant-sessions.ts'
import { threadRows } from './thread-rows.ts'

const HERE = '/projects/here'
const THERE = '/projects/there'

async function browse(planted: readonly Planted[]) {
  const folder = join(tempFolder(), 'home')
  await plantSessions(folder, planted)
  return { ...(await browseHome(folder, { cwd: HERE, height: 5 })), folder }
}

const SOME: readonly Planted[] = [
  { id: 'old', cwd: HERE, prompt: 'Boil the kettle', name: 'Zebra', age: 30, begunAge: 5 },
  { id: 'new', cwd: HERE, prompt: 'Write a parser', age: 1, begunAge: 60 },
  { id: 'far', cwd: THERE, prompt: 'Paint the fence', name: 'Alpha', age: 2 },
]

test('the folder one is in, last active first; Tab shows all and back', async () => {
  const { browser, settled } = await browse(SOME)
  expect(await settled()).toEqual(['new', 'old'])
  browser.toggleScope()
  expect(await settled()).toEqual(['new', 'far', 'old'])
  browser.toggleScope()
  expect(await settled()).toEqual(['new', 'old'])
})

test('orders follow each other: created, name, size, and last active again', async () => {
  const { browser, settled } = await browse(SOME)
  browser.toggleScope()
  const seen: (readonly string[])[] = []
  for (let i = 0; i < 4; i++) {
    browser.nextOrder()
    seen.push(await settled())
  }
  expect(seen[0]).toEqual(['far', 'old', 'new'])
  expect(seen[1]).toEqual(['far', 'new', 'old'])
  expect(seen[2]?.toSorted()).toEqual(['far', 'new', 'old'])
  expect(seen[3]).toEqual(['new', 'far', 'old'])
  expect(browser.order).toBe('active')
})

test('a search finds names fuzzily first and then what was said, and lands on the node', async () => {
  const { browser, settled } = await browse(SOME)
  browser.search('zbra')
  expect(await settled()).toEqual(['old'])
  browser.search('answer')
  expect(await settled()).toEqual(['hit new-a', 'hit old-a'])
  browser.search('kettle')
  expect(await settled()).toEqual(['old', 'hit old-u'])
  browser.nextSearched()
  expect([browser.searched, await settled()]).toEqual(['names', ['old']])
  browser.nextSearched()
  expect([browser.searched, await settled()]).toEqual(['text', ['hit old-u']])
  browser.search('')
  expect(await settled()).toEqual(['new', 'old'])
})

test('letters typed quickly are one search, and an answer that comes late changes nothing', async () => {
  const { browser, settled, searches } = await browse(SOME)
  const before = searches.length
  for (const query of ['k', 'ke', 'ket', 'kett', 'fence', 'par']) browser.search(query)
  expect(await settled()).toEqual(['new', 'hit new-u'])
  expect(searches.length - before).toBe(1)
  // Asked for, and no longer wanted before it is answered.
  browser.nextSearched()
  browser.nextSearched()
  browser.nextSearched()
  browser.toggleScope()
  browser.search('')
  browser.toggleScope()
  expect(await settled()).toEqual(['new', 'old'])
})

test('many names leave room for what was said; all of them are one key away', async () => {
  const many = Array.from({ length: 20 }, (_, i) => ({ id: `s${i}`, cwd: HERE, prompt: `Fix number ${i}`, age: i + 1 }))
  const { browser, settled } = await browse(many)
  browser.search('fix')
  const rows = await settled()
  expect(rows.slice(0, 7)).toEqual(['s0', 's1', 's2', 's3', 's4', 's5', 'hit s0-u'])
  expect(browser.hasMoreNames).toBe(true)
  browser.nextSearched()
  expect(await settled()).toHaveLength(20)
})

test('forks stand under what they were forked from, at the place of the one that was active last', async () => {
  const { browser, settled } = await browse([
    { id: 'root', cwd: HERE, prompt: 'The root', age: 50 },
    { id: 'lone', cwd: HERE, prompt: 'Alone', age: 20 },
    { id: 'fork', cwd: HERE, prompt: 'A fork', age: 10, parentSession: 'root' },
    { id: 'twig', cwd: HERE, prompt: 'A fork of the fork', age: 30, parentSession: 'fork' },
    { id: 'stray', cwd: HERE, prompt: 'Of somebody gone', age: 40, parentSession: 'nobody' },
  ])
  expect(await settled()).toEqual(['root', 'fork', 'twig', 'lone', 'stray'])
  expect(browser.rows.map((row) => (row.type === 'session' ? row.stems.length : -1))).toEqual([0, 1, 2, 0, 0])
  browser.toggleThreads()
  expect(browser.rows.map(nameOf)).toEqual(['fork', 'lone', 'twig', 'stray', 'root'])
})

test('sessions that claim to descend from each other are all listed, once', () => {
  const claim = (id: string, parentSession: string) => ({ id, path: `/${id}`, parentSession }) as IndexedSession
  const rows = threadRows([claim('a', 'b'), claim('b', 'c'), claim('c', 'a'), claim('d', 'd'), claim('e', '/d')])
  expect(rows.map(({ session }) => session.id).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('a session that comes while one looks is shown by a refresh; the cursor stays with its session', async () => {
  const { browser, settled, folder } = await browse(SOME)
  browser.move('down')
  expect(nameOf(browser.chosen!)).toBe('old')
  await plantSessions(folder, [{ id: 'newest', cwd: HERE, prompt: 'Just begun', age: 0 }])
  await browser.refresh()
  expect(await settled()).toEqual(['newest', 'new', 'old'])
  expect(nameOf(browser.chosen!)).toBe('old')
})

test('the cursor goes to what stands behind a session that has gone', async () => {
  const { browser, settled } = await browse([...SOME, { id: 'last', cwd: HERE, prompt: 'The last', age: 90 }])
  browser.move('down')
  const { chosen } = browser
  const known = browser.trashed(chosen?.type === 'session' ? chosen.session.path : '')
  expect(browser.rows.map(nameOf)).toEqual(['new', 'last'])
  expect(nameOf(browser.chosen!)).toBe('last')
  await known
  await settled()
})

test.each(['"', '"kettle', '*', '(', 'AND', 'NEAR(', '- -', 'a:b', '\u0000', '%_'])(
  '%j is looked for as it is',
  async (query) => {
    const { browser, settled } = await browse(SOME)
    browser.search(query)
    await settled()
    expect(browser.problem).toBeUndefined()
  },
)

test('a session that was left alone for long is found by its new name right after it was given', async () => {
  const folder = join(tempFolder(), 'home')
  // More than the index looks at when it has looked at all of them just before.
  const many = Array.from({ length: 70 }, (_, i) => ({ id: `s${i}`, cwd: HERE, prompt: `Number ${i}`, age: i + 1 }))
  const { s69: path = '' } = await plantSessions(folder, many)
  for (const dir of ['', ...readdirSync(join(folder, 'sessions'))]) utimesSync(join(folder, 'sessions', dir), 1, 1)
  const { browser, settled } = await browseHome(folder, { cwd: HERE, height: 5 })
  await browser.refresh()
  await using store = await openFileStore({ home: folder })
  await using session = await store.open('s69')
  await session.rename('Zebra')
  await browser.renamed(path, 'Zebra')
  browser.search('zebra')
  expect(await settled()).toEqual(['s69'])
})

test('a stale index shows what it has at once; how far it is with the rest stands in the headline, then it is shown', async () => {
  const { browser, settled, folder, headlines } = await browse(SOME)
  await plantSessions(folder, [{ id: 'newest', cwd: HERE, prompt: 'Just begun', age: 0 }])
  const refreshing = browser.refresh()
  expect(browser.rows.map(nameOf)).toEqual(['new', 'old'])
  await refreshing
  expect(await settled()).toEqual(['newest', 'new', 'old'])
  const told = headlines.findIndex((line) => /reading sessions, \d+ %/.test(line))
  expect(told).toBeGreaterThan(0)
  expect(headlines[told]).toContain('1 of 2')
  expect(headlines.at(-1)).toBe('Sessions · this folder · last active first · 1 of 3')
})

test('an index that cannot be asked is told of', async () => {
  let problem: string | undefined
  const told = new Promise<void>((resolve) => {
    const index = async () => {
      throw new Error('No index today')
    }
    const browser = new SessionBrowser({
      index,
      cwd: HERE,
      height: 5,
      onNews: () => {
        problem = browser.problem
        resolve()
      },
    })
    browser.start()
  })
  await told
  expect(problem).toBe('No index today')
})
