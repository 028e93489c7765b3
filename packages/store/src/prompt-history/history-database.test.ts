import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Home, openHome } from '../home.ts'
import { type DatabaseSync, openDatabase } from '../sqlite.ts'
import { makeTempHome, type TempHome } from '../testing/temp-home.ts'
import { openPromptHistory, type PromptHistory } from './prompt-history.ts'

let temp: TempHome
let home: Home
let history: PromptHistory | undefined

beforeEach(() => {
  temp = makeTempHome()
  home = openHome({ home: temp.home })
})
afterEach(async () => {
  await history?.close()
  history = undefined
  home.locks.close()
  temp[Symbol.dispose]()
})

function open(): PromptHistory {
  history = openPromptHistory({ home })
  return history
}

const textsOf = (found: readonly { readonly prompt: string }[]) => found.map(({ prompt }) => prompt)

function withDatabase<T>(work: (database: DatabaseSync) => T): T {
  const database = openDatabase(home.paths.historyFile, { defensive: false })
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** As xcsh makes it: one trigger, and an index by words. */
const XCSH = `
PRAGMA journal_mode = WAL;
CREATE TABLE history (id INTEGER PRIMARY KEY AUTOINCREMENT, prompt TEXT NOT NULL,
  created_at INTEGER NOT NULL DEFAULT (CAST(strftime('%s','now') AS INTEGER)), cwd TEXT);
CREATE INDEX idx_history_created_at ON history(created_at DESC);
CREATE VIRTUAL TABLE history_fts USING fts5(prompt, content='history', content_rowid='id');
CREATE TRIGGER history_ai AFTER INSERT ON history BEGIN
  INSERT INTO history_fts(rowid, prompt) VALUES (new.id, new.prompt);
END;`

/** As oh-my-pi makes it: each text once, and more columns. */
const OMP = `
CREATE TABLE history (id INTEGER PRIMARY KEY AUTOINCREMENT, prompt TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL DEFAULT 0, cwd TEXT, session_id TEXT, use_count INTEGER NOT NULL DEFAULT 1);
PRAGMA user_version = 1;`

describe("another tool's file", () => {
  test('S35 of xcsh is taken over with all its rows, which can be found', async () => {
    withDatabase((database) => {
      database.exec(XCSH)
      for (let n = 0; n < 3_000; n++) {
        database
          .prepare('INSERT INTO history (prompt, created_at, cwd) VALUES (?, 1700000000, ?)')
          .run(`Prompt ${n}`, '/x')
      }
    })
    const taken = open()
    expect(await taken.search('rompt 2999')).toMatchObject([
      { prompt: 'Prompt 2999', cwd: '/x', createdAt: '2023-11-14T22:13:20.000Z' },
    ])
    expect(textsOf(await taken.search('mpt 17', { limit: 1_000 })).length).toBe(111)
    taken.add('ours', '/x')
    await taken.flush()
    const left = () =>
      withDatabase((database) => database.prepare('SELECT count(*) AS n FROM treeline_changed').get()?.n)
    await expect.poll(left, { interval: 10 }).toBe(0)
    expect(textsOf(await taken.search('mpt 17', { limit: 1_000 })).length).toBe(111)
    expect(withDatabase((database) => database.prepare('SELECT count(*) AS n FROM history').get()?.n)).toBe(3_001)
    expect(taken.problem).toBeUndefined()
  })

  test('S35 xcsh finds what we add and does not find what we remove', async () => {
    withDatabase((database) => database.exec(XCSH))
    const taken = open()
    taken.add('kept words', '/x')
    taken.add('removed words', '/x')
    const theirs = () =>
      withDatabase((database) => {
        const sql = 'SELECT h.prompt FROM history_fts f JOIN history h ON h.id = f.rowid WHERE history_fts MATCH ?'
        return database.prepare(sql).all('words*').length
      })
    const [removed] = await taken.recent()
    expect(theirs()).toBe(2)
    expect(await taken.remove(removed!.id)).toBe(true)
    expect(await taken.remove(removed!.id)).toBe(false)
    expect(theirs()).toBe(1)
    withDatabase((database) => database.exec("INSERT INTO history_fts(history_fts, rank) VALUES('integrity-check', 1)"))
  })

  test('S35 of oh-my-pi: a text that it keeps once becomes the newest', async () => {
    withDatabase((database) => {
      database.exec(OMP)
      database.exec(
        "INSERT INTO history (prompt, cwd, session_id, use_count) VALUES ('one', '/o', 's', 7), ('two', '/o', 's', 1)",
      )
    })
    const taken = open()
    taken.add('one', '/work')
    taken.add('three', '/work')
    expect(textsOf(await taken.recent())).toEqual(['three', 'one', 'two'])
    expect(textsOf(await taken.search('one'))).toEqual(['one'])
    expect(
      withDatabase((database) => database.prepare("SELECT use_count FROM history WHERE prompt = 'one'").get()),
    ).toEqual(expect.objectContaining({ use_count: 7 }))
    expect([taken.lostCount, taken.problem]).toEqual([0, undefined])
  })
})

describe('damage', () => {
  const aside = () => readdirSync(temp.home).filter((name) => name.startsWith('history.db.damaged-'))

  test.each([
    ['no database', (path: string) => writeFileSync(path, 'this is not a database'.repeat(100))],
    ['a table with other columns', () => withDatabase((database) => database.exec('CREATE TABLE history (text)'))],
    ['a view', () => withDatabase((database) => database.exec('CREATE VIEW history AS SELECT 1 AS id'))],
    [
      'our name for something else',
      () => withDatabase((database) => database.exec('CREATE VIEW treeline_changed AS SELECT 1')),
    ],
  ])('R1 %s is kept aside, and a new history begins', async (_, plant) => {
    plant(home.paths.historyFile)
    const before = readFileSync(home.paths.historyFile)
    const begun = open()
    expect(begun.problem).toContain('history.db.damaged-')
    expect(aside().length).toBe(1)
    expect(readFileSync(join(temp.home, aside()[0]!))).toEqual(before)
    begun.add('new', '/work')
    expect(textsOf(await begun.recent())).toEqual(['new'])
    expect(await begun.removeContaining('x')).toEqual({ removed: 0, unsearched: [join(temp.home, aside()[0]!)] })
  })

  test('R1 pages that turn out to be garbage later: the file is kept aside, what waits goes into a new one', async () => {
    const first = open()
    for (let n = 0; n < 500; n++) first.add(`prompt ${n} ${'text '.repeat(50)}`, '/work')
    await first.close()
    const bytes = readFileSync(home.paths.historyFile)
    bytes.fill(0xa5, 8_192)
    const second = open()
    writeFileSync(home.paths.historyFile, bytes)
    second.add('after the damage', '/work')
    await second.flush()
    expect(textsOf(await second.recent())).toEqual(['after the damage'])
    expect(second.problem).toContain(aside().find((name) => !/-(wal|shm)$/.test(name)))
  })

  test('I6 a damaged index is made anew; the prompts stay', async () => {
    const first = open()
    first.add('findable prompt', '/work')
    await first.flush()
    withDatabase((database) => database.exec('DELETE FROM treeline_grams_data WHERE id > 10'))
    await first.close()
    const again = open()
    expect(textsOf(await again.search('findable'))).toEqual(['findable prompt'])
    expect(textsOf(await again.search('findable'))).toEqual(['findable prompt'])
    expect(withDatabase((database) => database.prepare('SELECT * FROM treeline_changed').all())).toEqual([])
    expect(textsOf(await again.search('findable'))).toEqual(['findable prompt'])
    expect([again.problem, aside()]).toEqual([undefined, []])
  })

  test('rows that no history has do not hide the others', async () => {
    const first = open()
    first.add('good prompt', '/work')
    await first.flush()
    withDatabase((database) =>
      database.exec(`INSERT INTO history (id, prompt, created_at, cwd) VALUES (-5, 'negative prompt', 1, '/w'),
        (500, x'00ff', 1, '/w'), (501, 'late prompt', 9e300, 17), (9007199254740993, 'huge prompt', 1, '/w')`),
    )
    expect(await first.recent()).toMatchObject([
      { id: 501, prompt: 'late prompt', createdAt: undefined, cwd: '17' },
      { id: 1 },
    ])
    expect(textsOf(await first.search('prompt'))).toEqual(['late prompt', 'good prompt'])
  })
})
