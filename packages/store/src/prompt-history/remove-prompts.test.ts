import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Home, openHome } from '../home.ts'
import { openDatabase } from '../sqlite.ts'
import { makeTempHome, type TempHome } from '../testing/temp-home.ts'
import { openPromptHistory, type PromptHistory } from './prompt-history.ts'

/** The rare letters make grams that no other prompt has. */
const SECRET = 'hunter2-Ωж'
/** As the text is stored, and as its grams are: folded. */
const TRACES = ['hunter2', 'Ωж', 'ωж'].map((text) => Buffer.from(text))

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

function countTraces(): number[] {
  const names = readdirSync(temp.home).filter((name) => name.startsWith('history.db'))
  const files = names.map((name) => readFileSync(join(temp.home, name)))
  return TRACES.map((trace) => files.filter((bytes) => bytes.includes(trace)).length)
}

async function addWithSecrets(): Promise<void> {
  for (let n = 0; n < 400; n++) {
    history.add(n % 40 === 7 ? `log in with ${SECRET} ${'and more '.repeat(n)}` : `ordinary prompt ${n}`, '/work')
    if (n % 100 === 0) await history.flush()
  }
  await history.flush()
}

test('R1 a scrubbed text leaves no byte in the files', async () => {
  await addWithSecrets()
  for (const count of countTraces()) expect(count).toBeGreaterThan(0)
  history.add(`just typed ${SECRET}`, '/work')
  expect(await history.removeContaining(SECRET)).toEqual({ removed: 11, unsearched: [] })
  expect(countTraces()).toEqual([0, 0, 0])
  expect(await history.search('hunter2')).toEqual([])
  expect((await history.search('ordinary', { limit: 1_000 })).length).toBe(390)
})

test('what was removed singly, or by someone else, leaves none either', async () => {
  await addWithSecrets()
  for (const { id } of await history.search(SECRET, { limit: 5 })) await history.remove(id)
  const other = openDatabase(home.paths.historyFile)
  other.exec("DELETE FROM history WHERE prompt LIKE '%hunter2%'")
  other.close()
  expect(await history.removeContaining(SECRET)).toMatchObject({ removed: 0 })
  expect(countTraces()).toEqual([0, 0, 0])
})

test("the other tool's index holds none either", async () => {
  const other = openDatabase(home.paths.historyFile)
  other.exec(`CREATE VIRTUAL TABLE history_fts USING fts5(prompt, content='history', content_rowid='id');
    CREATE TRIGGER history_ai AFTER INSERT ON history BEGIN
      INSERT INTO history_fts(rowid, prompt) VALUES (new.id, new.prompt);
    END`)
  other.close()
  await addWithSecrets()
  await history.removeContaining(SECRET)
  expect(countTraces()).toEqual([0, 0, 0])
})

test('the text is taken as it is: no pattern, no folding, not empty', async () => {
  for (const prompt of ['100% sure', '100 sure', 'a_b', 'axb', 'Case', 'case']) history.add(prompt, '/work')
  const left = async () => (await history.recent()).map(({ prompt }) => prompt)
  await history.removeContaining('100%')
  await history.removeContaining('a_b')
  await history.removeContaining('Case')
  expect(await left()).toEqual(['case', 'axb', '100 sure'])
  await expect(history.removeContaining('')).rejects.toMatchObject({ code: 'validation_failed' })
  expect((await left()).length).toBe(3)
})

test('while another process reads, it says that bytes may be left', { timeout: 15_000 }, async () => {
  await addWithSecrets()
  const reader = openDatabase(home.paths.historyFile)
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM history').get()
  await expect(history.removeContaining(SECRET)).rejects.toMatchObject({ code: 'session_locked' })
  reader.exec('COMMIT')
  reader.close()
  expect(await history.removeContaining(SECRET)).toMatchObject({ removed: 0 })
  expect(countTraces()).toEqual([0, 0, 0])
})
