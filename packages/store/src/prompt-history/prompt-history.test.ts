import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, renameSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Home, openHome } from '../home.ts'
import { openDatabase } from '../sqlite.ts'
import { makeTempHome, type TempHome } from '../testing/temp-home.ts'
import { openPromptHistory, type PromptHistory } from './prompt-history.ts'

const ADD = fileURLToPath(new URL('../testing/add-prompts.ts', import.meta.url))

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

const textsOf = (found: readonly { readonly prompt: string }[]) => found.map(({ prompt }) => prompt)

function addAll(...prompts: readonly string[]): void {
  for (const prompt of prompts) history.add(prompt, '/work')
}

/** What the file holds, read by another connection. */
function storedPrompts(): unknown[] {
  const database = openDatabase(home.paths.historyFile)
  try {
    const rows = database.prepare('SELECT prompt FROM history ORDER BY id').all()
    return rows.map(({ prompt }) => prompt)
  } finally {
    database.close()
  }
}

describe('adding', () => {
  test('S35 prompts are kept with their working directory and time, newest first', async () => {
    const before = Math.floor(Date.now() / 1_000) * 1_000
    history.add('first', '/a')
    history.add('second', '/b')
    const [second, first] = await history.recent()
    expect(second).toMatchObject({ prompt: 'second', cwd: '/b' })
    expect(first).toMatchObject({ prompt: 'first', cwd: '/a' })
    expect(Date.parse(first!.createdAt!)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(first!.createdAt!)).toBeLessThanOrEqual(Date.now())
  })

  test('S35 the table is the one other tools read', async () => {
    addAll('prompt')
    await history.flush()
    const database = openDatabase(home.paths.historyFile)
    const columns = database.prepare("SELECT name FROM pragma_table_info('history')").all()
    expect(columns.map(({ name }) => name)).toEqual(['id', 'prompt', 'created_at', 'cwd'])
    const [row] = database
      .prepare('SELECT typeof(created_at) AS type, created_at < 1e11 AS isSeconds FROM history')
      .all()
    expect(row).toMatchObject({ type: 'integer', isSeconds: 1 })
    database.close()
  })

  test('blank prompts are left out and blanks around a prompt cut', async () => {
    addAll('', '  \n\t ', '  text\n')
    expect(textsOf(await history.recent())).toEqual(['text'])
  })

  test('S35 consecutive identical prompts are stored once, across batches, openings and processes', async () => {
    addAll('same', ' same ')
    await history.flush()
    addAll('same')
    await history.flush()
    await using other = openPromptHistory({ home })
    other.add('same', '/work')
    await other.flush()
    addAll('same', 'other', 'same')
    await history.flush()
    expect(storedPrompts()).toEqual(['same', 'other', 'same'])
  })

  test('the same prompt in another working directory is not a repetition', async () => {
    history.add('go on', '/a')
    history.add('go on', '/b')
    history.add('go on', '/a')
    expect((await history.recent()).map(({ cwd }) => cwd)).toEqual(['/b', '/a'])
    expect(textsOf(await history.recent({ cwd: '/b' }))).toEqual(['go on'])
  })

  test('adding does not touch the file; the timer writes without being asked', async () => {
    addAll('later')
    expect([history.pendingCount, storedPrompts()]).toEqual([1, []])
    await expect.poll(storedPrompts, { interval: 5 }).toEqual(['later'])
    expect(history.pendingCount).toBe(0)
  })

  test('hostile text is kept as far as SQLite can and found again', async () => {
    const hostile = [
      'a\0b',
      'lone \ud800 half',
      `"quoted" AND (x OR NEAR(y)) * -z ^col: ' %_`,
      '__proto__',
      '👩‍👩‍👧 family',
    ]
    addAll(...hostile)
    const kept = hostile.map((text) => text.replaceAll('\0', '\ufffd').toWellFormed())
    expect(textsOf(await history.recent()).toReversed()).toEqual(kept)
    for (const [i, text] of hostile.entries()) {
      if (text.includes('\0')) continue
      for (const mode of ['substring', 'prefix'] as const) {
        expect(textsOf(await history.search(text, { mode })), text).toEqual([kept[i]])
      }
    }
  })

  test('of a prompt of 10 MB the first million characters are kept', async () => {
    addAll('x'.repeat(10_000_000))
    const [past] = await history.recent()
    expect(past!.prompt).toBe('x'.repeat(1_000_000))
  })

  test('K5 the files are for the user alone', async () => {
    addAll('secret')
    await history.flush()
    const names = readdirSync(temp.home).filter((name) => name.startsWith('history.db'))
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) expect(statSync(`${temp.home}/${name}`).mode & 0o777, name).toBe(0o600)
  })
})

describe('trouble', () => {
  test('R3 a locked database does not hold up a turn; the prompts are written when it is free', async () => {
    const other = openDatabase(home.paths.historyFile)
    other.exec('BEGIN IMMEDIATE')
    const start = performance.now()
    addAll('one', 'two')
    expect(performance.now() - start).toBeLessThan(50)
    await expect.poll(() => history.failureCount, { interval: 5 }).toBeGreaterThan(1)
    expect(history.lastError).toMatchObject({ code: 'session_locked' })
    expect(history.pendingCount).toBe(2)
    other.exec('COMMIT')
    other.close()
    expect(await history.flush()).toBe(true)
    expect(storedPrompts()).toEqual(['one', 'two'])
  })

  test('R3 a file that cannot be opened fails quietly and is tried again', async () => {
    await history.close()
    renameSync(home.paths.historyFile, `${home.paths.historyFile}.away`)
    home.storage.ensureDirSync(home.paths.historyFile)
    history = openPromptHistory({ home })
    addAll('kept')
    expect(await history.flush()).toBe(false)
    expect(history.lastError).toMatchObject({ code: 'forbidden' })
    await expect(history.recent()).rejects.toMatchObject({ code: 'forbidden' })
    renameSync(home.paths.historyFile, `${home.paths.historyFile}.dir`)
    expect(await history.flush()).toBe(true)
    expect(storedPrompts()).toEqual(['kept'])
    expect(history.lostCount).toBe(0)
  })

  test('a file moved away underneath is not written any more', async () => {
    addAll('old')
    await history.flush()
    renameSync(home.paths.historyFile, `${temp.outside}/history.db`)
    for (const ending of ['-wal', '-shm'])
      renameSync(home.paths.historyFile + ending, `${temp.outside}/history.db${ending}`)
    addAll('new')
    expect(textsOf(await history.recent())).toEqual(['new'])
    expect(storedPrompts()).toEqual(['new'])
  })

  test('prompts that can never be written do not pile up without end', async () => {
    const other = openDatabase(home.paths.historyFile)
    other.exec('BEGIN IMMEDIATE')
    for (let n = 0; n < 1_005; n++) addAll(`prompt ${n}`)
    expect([history.pendingCount, history.lostCount]).toEqual([1_000, 5])
    other.exec('ROLLBACK')
    other.close()
    expect(await history.flush()).toBe(true)
    expect(storedPrompts()).toEqual(Array.from({ length: 1_000 }, (_, n) => `prompt ${n + 5}`))
  })

  test('a closed history takes nothing, and says so', async () => {
    await history.close()
    addAll('late')
    expect(history.lostCount).toBe(1)
    await expect(history.recent()).rejects.toMatchObject({ code: 'bad_request' })
    await history.close()
  })
})

describe('several processes', () => {
  async function run(name: string, count: number, ending: string): Promise<string> {
    const child = spawn(process.execPath, [ADD, temp.home, name, String(count), ending], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
    })
    const [code] = await once(child, 'close')
    expect(code).toBe(0)
    return said
  }

  test('C1 three processes add 300 prompts each: none lost, none twice, each in its order', async () => {
    const names = ['a', 'b', 'c']
    const said = await Promise.all(names.map((name) => run(name, 300, 'close')))
    expect(said).toEqual(names.map(() => '{"lost":0,"pending":0}'))
    const stored = storedPrompts()
    expect(stored.length).toBe(900)
    for (const name of names) {
      const own = stored.filter((prompt) => String(prompt).startsWith(`${name} `))
      expect(own).toEqual(Array.from({ length: 300 }, (_, n) => `${name} ${n}`))
    }
    expect(textsOf(await history.search('b 299'))).toEqual(['b 299'])
    expect((await history.search('b 2', { mode: 'prefix', limit: 1_000 })).length).toBe(111)
  })

  test.each(['exit', 'signal', 'end'])('S35 what was just added survives the %s of the process', async (ending) => {
    await run('x', 3, ending)
    expect(storedPrompts()).toEqual(['x 0', 'x 1', 'x 2'])
  })

  test('however many histories are open, they listen to the exit of the process once', async () => {
    const count = () => process.listenerCount('exit') + process.listenerCount('beforeExit')
    const before = count()
    const many = Array.from({ length: 20 }, () => openPromptHistory({ home }))
    expect(count()).toBe(before)
    await Promise.all(many.map((one) => one.close()))
    expect(count()).toBe(before)
    await history.close()
    expect(count()).toBe(before - 2)
  })
})
