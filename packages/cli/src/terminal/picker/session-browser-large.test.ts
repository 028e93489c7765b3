import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { homePaths } from '@treeline/store'
import { expect, test } from 'vitest'
import { tempFolder } from '../../testing/run-treeline.ts'
import { said } from '../../testing/sample-home.ts'
import { browseHome } from './testing/browse-home.ts'

const COUNT = Math.ceil(2_000 * Number(process.env.TREELINE_RUNS_FACTOR ?? 1))
const HERE = '/projects/here'
const HEIGHT = 12
const PAGE = 32
/** Many times of what a key takes, and far less than all of them would. */
const KEY_MS = 100

/** Every tenth of this project; as the store would write them, without its care for each. */
function plantMany(home: string): void {
  const paths = homePaths(home)
  for (let i = 0; i < COUNT; i++) {
    const [id, cwd] = [`s${i}`, i % 10 === 0 ? HERE : `/projects/p${i % 7}`]
    const timestamp = new Date(Date.UTC(2026, 0, 1) + i * 1000).toISOString()
    const path = paths.sessionFile({ cwd, id, timestamp })
    mkdirSync(dirname(path), { recursive: true })
    const prompt = said(
      `n${i}`,
      null,
      'user',
      `Prompt ${i} about ${i % 500 === 0 ? 'rare' : 'common'} things`,
      timestamp,
    )
    const lines = [{ type: 'session', version: 3, id, timestamp, cwd }, prompt]
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
}

test('every key costs what is in sight and a bit, however many sessions there are', {
  timeout: 60_000 * Math.max(1, COUNT / 2_000),
}, async () => {
  const home = join(tempFolder(), 'home')
  plantMany(home)
  const { browser, settled, lists, searches } = await browseHome(home, { cwd: HERE, height: HEIGHT })
  // The first frame is one page.
  expect(lists).toEqual([{ limit: PAGE, got: PAGE }])

  /** How many questions a key brings with it. */
  const cost = async (press: () => void): Promise<number> => {
    const before = lists.length + searches.length
    const started = performance.now()
    press()
    expect(performance.now() - started).toBeLessThan(KEY_MS)
    await settled()
    return lists.length + searches.length - before
  }
  expect(await cost(() => browser.toggleScope())).toBe(1)
  for (let i = 0; i < 6; i++) expect(await cost(() => browser.move('down'))).toBe(0)
  let pages = 0
  for (let i = 0; i < 100; i++) pages += await cost(() => browser.move('down'))
  expect(pages).toBeLessThanOrEqual(Math.ceil(100 / PAGE) + 1)
  expect(browser.rows.length).toBeLessThan(200)
  expect(await cost(() => browser.move('last'))).toBeLessThanOrEqual(1)
  for (const order of ['created', 'name', 'size', 'active']) {
    expect(await cost(() => browser.nextOrder()), order).toBe(1)
  }
  expect(await cost(() => browser.toggleThreads())).toBe(0)
  // Names and what was said: one question each, for all letters of a word.
  const typeRare = () => {
    for (const query of ['r', 'ra', 'rar', 'rare']) browser.search(query)
  }
  expect(await cost(typeRare)).toBe(2)
  expect(browser.rows.filter(({ type }) => type === 'hit')).toHaveLength(Math.min(PAGE, Math.ceil(COUNT / 500)))
  expect(await cost(() => browser.search('zzzz'))).toBe(2)
  expect(browser.rows).toEqual([])
  for (const { limit, got } of [...lists, ...searches]) {
    expect(limit).toBe(PAGE)
    expect(got).toBeLessThanOrEqual(PAGE)
  }
})
