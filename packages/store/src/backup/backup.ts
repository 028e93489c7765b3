import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { TreelineError } from '@treeline/core'
import type { Home } from '../home.ts'
import { appendAudit } from '../house/audit.ts'
import { copyDatabase, SQLITE, sqliteCodeOf } from '../sqlite.ts'
import { storageError } from '../storage-error.ts'
import { BACKED_UP_FILES, type BackupFile, formatManifest, HISTORY_NAME, MANIFEST_NAME } from './backup-manifest.ts'
import { backupName, listUnfinished, placeBackup, resolveTarget, unfinishedName } from './backup-target.ts'
import { hashFile, UnreadSource } from './copy-bytes.ts'
import { copyStored } from './copy-stored.ts'
import { eachOf } from './each-of.ts'
import { listTree } from './list-tree.ts'
import { findMissingBlobs } from './missing-blobs.ts'

export interface BackupOptions {
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface BackupProgress {
  readonly filesDone: number
  readonly bytesDone: number
}

export interface BackupReport {
  /** The dated folder the backup is in. */
  readonly folder: string
  readonly createdAt: string
  /** False when something could not be read and is therefore missing; the manifest says so too. */
  readonly isComplete: boolean
  readonly fileCount: number
  readonly sizeBytes: number
  readonly problems: readonly BackupProblem[]
  /** Folders that earlier backups left when they were killed. They are no backups and may be deleted. */
  readonly unfinished: readonly string[]
}

export interface BackupProblem {
  /**
   * `damaged_blob` and `missing_blob`: so it is in the home, and the backup is a faithful copy of that. `not_audited`:
   * the home takes no line about this backup.
   */
  readonly type: 'unreadable' | 'damaged_blob' | 'missing_blob' | 'not_audited'
  readonly path: string
  readonly problem: string
}

/** Passes over sessions and trash: a session that is moved between the two meanwhile is found where it went. */
const MAX_PASSES = 5
const BLOB_NAME = /^[a-f0-9]{64}$/

/**
 * Copies everything the home holds, less what is derived, into a new dated folder below `folder`, while others go on
 * writing (N77, X15). It is laid out as a home. Each log is as it was at one moment; blobs are copied after the logs,
 * since a blob is stored before the line that names it. One bad file hides no other (I7): it is told of.
 */
export async function createBackup(home: Home, folder: string, options: BackupOptions = {}): Promise<BackupReport> {
  const { storage, paths } = home
  const target = resolveTarget(folder, paths.home)
  const time = new Date()
  const name = backupName(time)
  const temp = join(target, unfinishedName(name, randomBytes(4).toString('hex')))
  try {
    storage.ensureDirSync(target)
    const unfinished = listUnfinished(storage, target)
    storage.ensureDirSync(temp)
    const run = new BackupRun(home, temp, options)
    await run.audit(join(target, name))
    await run.copyAll()
    const { files, problems, sizeBytes } = run
    const createdAt = time.toISOString()
    const isComplete = !problems.some(({ type }) => type === 'unreadable')
    files.sort((a, b) => (a.path < b.path ? -1 : 1))
    await storage.writeText(join(temp, MANIFEST_NAME), formatManifest({ createdAt, isComplete, files }))
    const placed = await placeBackup(storage, temp, target, name)
    return { folder: placed, createdAt, isComplete, fileCount: files.length, sizeBytes, problems, unfinished }
  } catch (error) {
    // Ours alone, and no use to anybody. What failed first is what the caller hears; a rest that stays is told of next time.
    await rm(temp, { recursive: true, force: true }).catch(() => {})
    if (options.signal?.aborted && error === options.signal.reason) throw error
    throw storageError(error, 'The backup could not be made', target)
  }
}

class BackupRun {
  readonly files: BackupFile[] = []
  sizeBytes = 0
  readonly #problems = new Map<string, BackupProblem>()
  readonly #home: Home
  readonly #folder: string
  readonly #options: BackupOptions
  readonly #seen = new Set<string>()
  readonly #dirs = new Set<string>()

  constructor(home: Home, folder: string, options: BackupOptions) {
    this.#home = home
    this.#folder = folder
    this.#options = options
  }

  get problems(): readonly BackupProblem[] {
    return [...this.#problems.values()]
  }

  /** So that whoever scrubs a secret later knows where copies of it went. A home that is read-only can be backed up too. */
  async audit(folder: string): Promise<void> {
    try {
      await appendAudit(this.#home, { action: 'backup', paths: [folder] })
    } catch (error) {
      this.#note('not_audited', this.#home.paths.auditFile, messageOf(error))
    }
  }

  async copyAll(): Promise<void> {
    const { home, sessions, trash, blobs } = this.#home.paths
    for (let pass = 1; pass <= MAX_PASSES; pass++) {
      const before = this.#seen.size
      await this.#copyTree(sessions)
      await this.#copyTree(trash)
      // Twice at least: what was moved from the trash to the sessions in between was in neither.
      if (pass > 1 && this.#seen.size === before) break
    }
    await this.#copyTree(join(home, 'partial'))
    await this.#copyTree(join(home, 'terminal-sessions'))
    await this.#copyTree(this.#home.paths.inPlace)
    await this.#copyTree(blobs, (path) => BLOB_NAME.test(basename(path)))
    for (const name of BACKED_UP_FILES) if (name !== HISTORY_NAME) await this.#copyIfThere(join(home, name))
    await this.#copyHistory()
    await this.#findMissingBlobs()
    for (const dir of this.#dirs) await this.#home.storage.syncDir(dir)
  }

  async #copyTree(root: string, isWanted = isStored): Promise<void> {
    const onUnread = (dir: string, error: unknown) => this.#note('unreadable', dir, messageOf(error))
    const paths = [...listTree(this.#home.storage, root, { onUnread })].filter(isWanted)
    await eachOf(paths, (path) => this.#copy(path))
  }

  async #copyIfThere(path: string): Promise<void> {
    if (this.#home.storage.existsSync(path)) await this.#copy(path)
  }

  async #copy(path: string): Promise<void> {
    if (this.#seen.has(path)) return
    this.#seen.add(path)
    const to = this.#place(path)
    const { signal } = this.#options
    try {
      const copied = await copyStored(this.#home, path, to, { signal })
      if (copied === undefined) {
        this.#seen.delete(path)
        return
      }
      this.#add(path, copied)
      if (dirname(path) === this.#home.paths.blobs && copied.sha256 !== basename(path)) {
        this.#note('damaged_blob', path, 'its bytes are not those that were stored')
      }
    } catch (error) {
      if (!(error instanceof UnreadSource)) throw error
      this.#note('unreadable', path, messageOf(error))
      if (this.#home.storage.existsSync(to)) await this.#home.storage.unlink(to)
    }
  }

  async #copyHistory(): Promise<void> {
    const { storage, paths } = this.#home
    if (!storage.existsSync(paths.historyFile)) return
    const to = this.#place(paths.historyFile)
    try {
      await copyDatabase(paths.historyFile, to)
      this.#add(paths.historyFile, await hashFile(storage, to))
    } catch (error) {
      if (sqliteCodeOf(error) === SQLITE.full) {
        throw new TreelineError(
          'storage_full',
          `The disk of ${to} is full. Make room and try again.`,
          {},
          { cause: error },
        )
      }
      // SQLite does not say which of the two files it is about; a disk that takes no copy says so again with the manifest.
      this.#note('unreadable', paths.historyFile, messageOf(error))
      if (storage.existsSync(to)) await storage.unlink(to)
    }
  }

  async #findMissingBlobs(): Promise<void> {
    const { storage, paths } = this.#home
    const { signal } = this.#options
    const onUnread = (_path: string, error: unknown) => {
      throw error
    }
    const missing = await findMissingBlobs(storage, this.#folder, this.files, { signal, onUnread })
    for (const [hash, log] of missing) {
      const path = paths.blobFile(hash)
      // One that is there but cannot be read was told of.
      if (!this.#seen.has(path)) this.#note('missing_blob', path, `it is not there; ${log} refers to it`)
    }
  }

  #place(path: string): string {
    const to = join(this.#folder, relative(this.#home.paths.home, path))
    const dir = dirname(to)
    if (!this.#dirs.has(dir)) this.#home.storage.ensureDirSync(dir)
    this.#dirs.add(dir)
    return to
  }

  #add(path: string, { size, sha256 }: { readonly size: number; readonly sha256: string }): void {
    this.files.push({ path: relative(this.#home.paths.home, path), size, sha256 })
    this.sizeBytes += size
    this.#options.onProgress?.({ filesDone: this.files.length, bytesDone: this.sizeBytes })
  }

  #note(type: BackupProblem['type'], path: string, problem: string): void {
    this.#problems.set(`${type} ${path}`, { type, path, problem })
  }
}

/** Half-written files get their name when they are whole; saved columns are a cache, also in the trash. */
function isStored(path: string): boolean {
  return !path.endsWith('.tmp') && !path.endsWith('.cols')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
