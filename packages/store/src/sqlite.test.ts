import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { copyDatabase, openDatabase, SQLITE, sqliteCodeOf } from './sqlite.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'treeline-sqlite-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

function modesIn(folder: string): string[] {
  return readdirSync(folder).map((name) => `${name} ${(statSync(join(folder, name)).mode & 0o777).toString(8)}`)
}

test('K5 a database and its journals are 0600, whatever the umask', () => {
  const umask = process.umask(0)
  try {
    const database = openDatabase(join(dir, 'a.db'))
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)')
    expect(modesIn(dir)).toEqual(['a.db 600', 'a.db-shm 600', 'a.db-wal 600'])
    database.close()
  } finally {
    process.umask(umask)
  }
})

test('K5 a database that others could read is closed to them', () => {
  openDatabase(join(dir, 'a.db')).close()
  chmodSync(join(dir, 'a.db'), 0o644)
  openDatabase(join(dir, 'a.db')).close()
  expect(modesIn(dir)).toEqual(['a.db 600'])
})

test('K3 no link is followed, also not one that leads nowhere', () => {
  symlinkSync(join(dir, 'elsewhere'), join(dir, 'a.db'))
  expect(() => openDatabase(join(dir, 'a.db'))).toThrow(expect.objectContaining({ code: 'forbidden' }))
  expect(readdirSync(dir)).toEqual(['a.db'])
})

test('a copy holds what was committed, while others write, in one file of its own', async () => {
  const writer = openDatabase(join(dir, 'a.db'))
  writer.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1), (2)')
  writer.exec('BEGIN IMMEDIATE; INSERT INTO t VALUES (3)')
  await copyDatabase(join(dir, 'a.db'), join(dir, 'b.db'))
  writer.exec('COMMIT')
  writer.close()
  expect(modesIn(dir)).toEqual(['a.db 600', 'b.db 600'])
  const copy = openDatabase(join(dir, 'b.db'), { readOnly: true })
  expect(copy.prepare('SELECT x FROM t').all()).toMatchObject([{ x: 1 }, { x: 2 }])
  copy.close()
  expect(readdirSync(dir)).toEqual(['a.db', 'b.db'])
})

test('what is no database is not copied', async () => {
  writeFileSync(join(dir, 'a.db'), 'no database, and long enough to be looked at as one'.repeat(20))
  const copied = copyDatabase(join(dir, 'a.db'), join(dir, 'b.db'))
  await expect(copied).rejects.toSatisfy((error) => sqliteCodeOf(error) === SQLITE.notADatabase)
})

test('errors of SQLite are told apart by their primary code', () => {
  const database = openDatabase(join(dir, 'a.db'))
  let error: unknown
  try {
    database.exec('SELECT * FROM missing')
  } catch (thrown) {
    error = thrown
  }
  expect(sqliteCodeOf(error)).toBe(SQLITE.error)
  expect(sqliteCodeOf(new Error('another'))).toBeUndefined()
  database.close()
})

test('loading it prints nothing, and other warnings still come through', () => {
  const script = `
    import { openDatabase } from ${JSON.stringify(join(import.meta.dirname, 'sqlite.ts'))}
    openDatabase(':memory:x').close()
    process.emitWarning('another one', 'ExperimentalWarning')
  `
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: dir,
    encoding: 'utf8',
  })
  const warnings = stderr.split('\n').filter((line) => line.includes('Warning: '))
  expect(warnings).toEqual([expect.stringContaining('another one')])
})
