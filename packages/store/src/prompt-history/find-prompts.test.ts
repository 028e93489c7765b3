import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Home, openHome } from '../home.ts'
import { fold } from '../search/fold.ts'
import { openDatabase } from '../sqlite.ts'
import { runs } from '../testing/runs.ts'
import { makeTempHome, type TempHome } from '../testing/temp-home.ts'
import { openPromptHistory, type PromptHistory } from './prompt-history.ts'

let temp: TempHome
let home: Home
let history: PromptHistory

beforeEach(() => {
  temp = makeTempHome()
  home = openHome({ home: temp.home })
  history = openPromptHistory({ home })
})
afterEach(async () => {
  await history.close()
  home.locks.close()
  temp[Symbol.dispose]()
})

const MODES = ['substring', 'prefix'] as const

function addAll(prompts: readonly string[], cwd = '/work'): void {
  for (const prompt of prompts) history.add(prompt, cwd)
}

async function found(text: string, mode: (typeof MODES)[number] = 'substring'): Promise<string[]> {
  return (await history.search(text, { mode })).map(({ prompt }) => prompt)
}

function change(sql: string): void {
  const database = openDatabase(home.paths.historyFile)
  database.exec(sql)
  database.close()
}

test('S35 finds a part of a word, whatever its case and accents, newest first', async () => {
  addAll(['git commit it', 'fix parseEntry', 'Déjà VU', 'COMMIT again', '日本語のテキスト', 'Straße', '🌲 tree'])
  expect(await found('mit')).toEqual(['COMMIT again', 'git commit it'])
  expect(await found('Entry')).toEqual(['fix parseEntry'])
  expect(await found('deja vu')).toEqual(['Déjà VU'])
  expect(await found('語のテ')).toEqual(['日本語のテキスト'])
  expect(await found('本語')).toEqual(['日本語のテキスト'])
  expect(await found('STRASSE')).toEqual(['Straße'])
  expect(await found('🌲')).toEqual(['🌲 tree'])
  expect(await found('e')).toEqual(['🌲 tree', 'Straße', 'Déjà VU', 'fix parseEntry'])
  expect(await found('nowhere')).toEqual([])
})

test('a prefix is the beginning of the prompt, from the first letter on', async () => {
  addAll(['run the tests', 'the tests run', 'Thé', 'then what', 'other'])
  expect(await found('the', 'prefix')).toEqual(['then what', 'Thé', 'the tests run'])
  expect(await found('t', 'prefix')).toEqual(['then what', 'Thé', 'the tests run'])
  expect(await found('  the t', 'prefix')).toEqual(['the tests run'])
  expect(await found('tests', 'prefix')).toEqual([])
})

test('an empty query finds the recent ones; a blank between words matches any', async () => {
  addAll(['one', 'two  lines\n\nhere'])
  expect(await found('')).toEqual(['two  lines\n\nhere', 'one'])
  expect(await found('lines here')).toEqual(['two  lines\n\nhere'])
})

test('per working directory or all, with a limit, from an id on, each text once', async () => {
  addAll(['build it', 'test it', 'build it'], '/a')
  addAll(['build it', 'ship it'], '/b')
  const look = async (options: object) => (await history.search(' it', options)).map(({ prompt }) => prompt)
  expect(await look({})).toEqual(['ship it', 'build it', 'build it', 'test it', 'build it'])
  expect(await look({ cwd: '/a' })).toEqual(['build it', 'test it', 'build it'])
  expect(await look({ cwd: '/nowhere' })).toEqual([])
  expect(await look({ distinct: true })).toEqual(['ship it', 'build it', 'test it'])
  expect(await look({ limit: 2 })).toEqual(['ship it', 'build it'])
  expect(await look({ limit: 0 })).toEqual([])
  const [, second] = await history.recent({ limit: 2 })
  expect(await look({ before: second!.id, cwd: '/a', limit: 1 })).toEqual(['build it'])
  expect((await history.recent({ before: second!.id, distinct: true })).map(({ prompt }) => prompt)).toEqual([
    'build it',
    'test it',
  ])
})

test('a working directory with many prompts is searched by the index', async () => {
  for (let n = 0; n < 1_100; n++) {
    addAll([`prompt number ${n}`], n % 50 === 0 ? '/few' : '/many')
    if (n === 600) expect(await history.flush()).toBe(true)
  }
  const count = async (cwd: string | undefined) => (await history.search('number 10', { cwd, limit: 1_000 })).length
  expect([await count('/many'), await count('/few'), await count(undefined)]).toEqual([108, 3, 111])
})

test.each([{ limit: Number.NaN }, { limit: -1 }, { before: Number.NaN }, { before: -1 }])(
  '%o finds nothing and does not fail',
  async (options) => {
    addAll(['text'])
    expect(await history.recent(options)).toEqual([])
    expect(await history.search('text', options)).toEqual([])
  },
)

test.each([{ limit: Number.POSITIVE_INFINITY }, { before: Number.POSITIVE_INFINITY }, { limit: 1.5 }])(
  '%o is brought within bounds',
  async (options) => {
    addAll(['text'])
    expect((await history.search('text', options)).length).toBe(1)
  },
)

test('S35 the index follows rows that another tool inserts, updates and deletes', async () => {
  addAll(['first prompt', 'second prompt', 'third prompt'])
  await history.flush()
  change("INSERT INTO history (prompt, cwd) VALUES ('foreign prompt', '/x')")
  change("UPDATE history SET prompt = 'changed prompt' WHERE prompt = 'first prompt'")
  change("DELETE FROM history WHERE prompt = 'second prompt'")
  expect(await found('prompt')).toEqual(['foreign prompt', 'third prompt', 'changed prompt'])
  await expect.poll(() => found('foreign'), { interval: 5 }).toEqual(['foreign prompt'])
  expect(await found('first')).toEqual([])
  expect(await found('second')).toEqual([])
})

test('only the first 65,536 characters are searched', async () => {
  addAll([`${'x'.repeat(65_000)} inside ${'x'.repeat(1_000)} outside`])
  expect((await found('inside')).length).toBe(1)
  expect(await found('outside')).toEqual([])
})

test('a search that is not wanted any more ends', async () => {
  addAll(['text'])
  await expect(history.search('text', { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
})

const HOSTILE = [
  '"',
  '*',
  "'",
  'AND',
  'NOT',
  '(',
  ')',
  '^',
  '-',
  ':',
  '\0',
  '\u0002',
  '\ud800',
  'é',
  'ß',
  '本',
  '🌲',
  ' ',
  'a',
]
const hostileText = fc.array(fc.constantFrom(...HOSTILE), { maxLength: 8 }).map((parts) => parts.join(''))

test('finds what comparing every prompt finds, whatever is asked', async () => {
  const prompts = fc.sample(hostileText, { numRuns: 120, seed: 7 }).filter((text) => text.trim() !== '')
  addAll(prompts)
  const stored = await history.recent({ limit: 1_000 })
  expect(stored.length).toBeGreaterThan(80)
  await fc.assert(
    fc.asyncProperty(hostileText, fc.constantFrom(...MODES), async (text, mode) => {
      const query = fold(mode === 'prefix' ? text.trimStart() : text)
      const matches = (prompt: string) =>
        mode === 'prefix' ? fold(prompt).startsWith(query) : fold(prompt).includes(query)
      const expected = stored.filter(({ prompt }) => matches(prompt))
      expect(await history.search(text, { mode, limit: 1_000 })).toEqual(expected)
    }),
    { numRuns: runs(150) },
  )
})

test('a query of a megabyte is answered', async () => {
  addAll(['needle', 'x'.repeat(70_000)])
  expect(await found('needle'.repeat(170_000))).toEqual([])
  expect((await found('x'.repeat(60_000))).length).toBe(1)
})
