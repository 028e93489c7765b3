import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { TreelineError } from '@treeline/core'
import type { Home } from '../home.ts'
import { HistoryDatabase } from '../prompt-history/history-database.ts'
import { historyError } from '../prompt-history/history-errors.ts'
import { type DatabaseSync, openDatabase, sqliteCodeOf } from '../sqlite.ts'
import type { BackupFile } from './backup-manifest.ts'
import { copyBytes, openSource, UnreadSource } from './copy-bytes.ts'
import type { OpenBackup } from './verify-backup.ts'

const ROWS_PER_TURN = 500
const WAIT_MS = 5000

interface Prompt {
  readonly id: number
  readonly prompt: string
  readonly created_at: number
  readonly cwd: string | null
}

/** Adds the prompts of the backup that the home's history does not have, oldest first. How many there were. */
export async function mergeHistory(backup: OpenBackup, home: Home, file: BackupFile): Promise<number> {
  return withCopy(backup, home, file, async (copy) => {
    const known = await readKnown(home)
    const history = new HistoryDatabase(home)
    let added = 0
    try {
      for (const rows of readRows(copy)) {
        const missing = rows.filter((row) => !known.has(keyOf(row)))
        if (missing.length > 0) added += history.write((database) => insert(database, missing), WAIT_MS)
        await new Promise(setImmediate)
      }
    } catch (error) {
      throw historyError(error, home.paths.historyFile)
    } finally {
      history.close()
    }
    return added
  })
}

/** What `mergeHistory` would add. */
export async function countNewPrompts(backup: OpenBackup, home: Home, file: BackupFile): Promise<number> {
  return withCopy(backup, home, file, async (copy) => {
    const known = await readKnown(home)
    let count = 0
    for (const rows of readRows(copy)) {
      count += rows.filter((row) => !known.has(keyOf(row))).length
      await new Promise(setImmediate)
    }
    return count
  })
}

/**
 * Opens a copy in the home, whose bytes are verified: SQLite may write beside a file it only reads, and a backup is not
 * to be changed. Its schema is not trusted, nor used for anything but one plain table.
 */
async function withCopy<T>(
  { folder }: OpenBackup,
  { storage, paths }: Home,
  file: BackupFile,
  work: (copy: DatabaseSync) => Promise<T>,
): Promise<T> {
  const path = join(folder, file.path)
  const temp = `${paths.historyFile}.${randomBytes(6).toString('hex')}.tmp`
  const source = openSource(storage, path)
  try {
    const { sha256 } = await copyBytes(storage, { file: source, path, end: file.size }, temp)
    if (sha256 !== file.sha256) throw new UnreadSource(path, new Error('it has changed since it was verified'))
    const copy = openDatabase(temp)
    try {
      copy.exec('PRAGMA trusted_schema = OFF')
      checkTable(copy)
      return await work(copy)
    } catch (error) {
      throw sqliteCodeOf(error) === undefined ? error : new UnreadSource(path, error)
    } finally {
      copy.close()
    }
  } finally {
    source.closeSync()
    for (const ending of ['', '-journal', '-wal', '-shm']) {
      // Ours alone. Should it stay, it does no harm.
      if (storage.existsSync(temp + ending)) await storage.unlink(temp + ending).catch(() => {})
    }
  }
}

function checkTable(database: DatabaseSync): void {
  const found = database.prepare("SELECT type, sql, rootpage FROM sqlite_schema WHERE name = 'history'").get()
  // A view or a virtual table could compute for ever.
  if (found?.type === 'table' && Number(found.rootpage) > 0 && !/\bAS\s*\(/i.test(String(found.sql))) return
  throw new UnreadSource('history.db', new TreelineError('damaged', 'Its table "history" is not that of prompts.'))
}

function* readRows(database: DatabaseSync): Generator<readonly Prompt[]> {
  const select = database.prepare('SELECT id, prompt, created_at, cwd FROM history WHERE id > ? ORDER BY id LIMIT ?')
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = select.all(after, ROWS_PER_TURN) as unknown as Prompt[]
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.filter(isPrompt)
    after = last.id
  }
}

function isPrompt({ prompt, created_at, cwd }: Prompt): boolean {
  return typeof prompt === 'string' && typeof created_at === 'number' && (cwd === null || typeof cwd === 'string')
}

async function readKnown({ storage, paths }: Home): Promise<ReadonlySet<string>> {
  const known = new Set<string>()
  if (!storage.existsSync(paths.historyFile)) return known
  const database = openDatabase(paths.historyFile, { readOnly: true, timeout: WAIT_MS })
  try {
    for (const rows of readRows(database)) {
      for (const row of rows) known.add(keyOf(row))
      await new Promise(setImmediate)
    }
  } catch (error) {
    throw historyError(error, paths.historyFile)
  } finally {
    database.close()
  }
  return known
}

/** Ids are not part of it: each history numbers its own. */
function keyOf({ prompt, created_at, cwd }: Prompt): string {
  return createHash('sha256')
    .update(JSON.stringify([prompt, created_at, cwd]))
    .digest('base64')
}

/**
 * Under its old number where that is free, since numbers are the order of prompts, else as the newest. A history that
 * keeps each text once, as oh-my-pi's, has its reasons. How many were added.
 */
function insert(database: DatabaseSync, rows: readonly Prompt[]): number {
  const find = database.prepare('SELECT 1 FROM history WHERE id = ?')
  const add = database.prepare('INSERT OR IGNORE INTO history (id, prompt, created_at, cwd) VALUES (?, ?, ?, ?)')
  let added = 0
  for (const { id, prompt, created_at, cwd } of rows) {
    const isFree = id > 0 && find.get(id) === undefined
    added += Number(add.run(isFree ? id : null, prompt, created_at, cwd).changes)
  }
  return added
}
