import { basename, join, relative, resolve } from 'node:path'
import type { Home } from '../home.ts'
import { createMemoryLocks } from '../locks/memory-locks.ts'
import { FileLog } from '../log/file-log.ts'
import { homePaths } from '../paths.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { type BackupFile, type BackupManifest, MANIFEST_NAME, readManifest } from './backup-manifest.ts'
import { hashFile } from './copy-bytes.ts'
import { eachOf } from './each-of.ts'
import { listTree } from './list-tree.ts'
import { findMissingBlobs } from './missing-blobs.ts'

export interface VerifyOptions {
  readonly storage?: SessionStorage | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: { readonly filesDone: number; readonly filesTotal: number }) => void) | undefined
}

export interface BackupFinding {
  readonly type:
    | 'missing'
    /** The bytes are not those of the manifest, or cannot be read. */
    | 'changed'
    /** Not in the manifest. */
    | 'extra'
    /** The blob's bytes are not what its name says. So they were in the home. */
    | 'damaged_blob'
    /** A log refers to a blob that is not there. So it was in the home. */
    | 'missing_blob'
    /** The log holds bytes that are no entries. So it did in the home. */
    | 'damaged_log'
  /** Relative to the backup. */
  readonly path: string
  readonly problem: string
}

export interface VerifyReport {
  /** Every file is there and as it was when the backup was made, and nothing else is. */
  readonly isSound: boolean
  /** As the manifest says: whether all of the home could be read then. */
  readonly isComplete: boolean
  readonly createdAt: string
  readonly fileCount: number
  readonly logCount: number
  readonly sizeBytes: number
  readonly findings: readonly BackupFinding[]
}

const UNSOUND: ReadonlySet<BackupFinding['type']> = new Set(['missing', 'changed', 'extra'])

/** A backup whose manifest was read, seen as a home that nobody writes to. */
export interface OpenBackup {
  readonly folder: string
  readonly manifest: BackupManifest
  readonly home: Pick<Home, 'storage' | 'locks' | 'paths'>
}

export async function openBackup(folder: string, storage: SessionStorage = createFileStorage()): Promise<OpenBackup> {
  const paths = homePaths(resolve(folder))
  const manifest = await readManifest(storage, paths.home)
  return { folder: paths.home, manifest, home: { storage, paths, locks: createMemoryLocks() } }
}

/** Reads everything in a backup and changes nothing. Throws only when its manifest cannot be used. */
export async function verifyBackup(folder: string, options: VerifyOptions = {}): Promise<VerifyReport> {
  return verifyOpened(await openBackup(folder, options.storage), options)
}

export async function verifyOpened(backup: OpenBackup, options: VerifyOptions = {}): Promise<VerifyReport> {
  const { manifest, home, folder } = backup
  const findings: BackupFinding[] = []
  const there = findExtra(backup, findings)
  let filesDone = 0
  let logCount = 0
  await eachOf(manifest.files, async (file) => {
    options.signal?.throwIfAborted()
    // Only what was found by walking is opened: a path that leads through a link was not (K3).
    if (!there.has(file.path)) findings.push({ type: 'missing', path: file.path, problem: 'it is not there' })
    else if (await isAsStated(backup, file, findings, options.signal)) {
      if (isLog(file.path)) logCount++
      await lookInside(backup, file, findings)
    }
    filesDone++
    options.onProgress?.({ filesDone, filesTotal: manifest.files.length })
  })
  const found = manifest.files.filter(({ path }) => there.has(path))
  // A file that cannot be read is among the changed ones already.
  const missing = await findMissingBlobs(home.storage, folder, found, { signal: options.signal, onUnread: () => {} })
  for (const [hash, log] of missing) {
    findings.push({ type: 'missing_blob', path: `blobs/${hash}`, problem: `it is not there; ${log} refers to it` })
  }
  return {
    isSound: !findings.some(({ type }) => UNSOUND.has(type)),
    isComplete: manifest.isComplete,
    createdAt: manifest.createdAt,
    fileCount: manifest.files.length,
    logCount,
    sizeBytes: manifest.files.reduce((sum, { size }) => sum + size, 0),
    findings,
  }
}

function findExtra({ folder, manifest, home }: OpenBackup, findings: BackupFinding[]): ReadonlySet<string> {
  const stated = new Set(manifest.files.map(({ path }) => path))
  const there = new Set<string>()
  const onUnread = (dir: string, error: unknown) => {
    findings.push({ type: 'changed', path: relative(folder, dir), problem: messageOf(error) })
  }
  for (const path of listTree(home.storage, folder, { dotted: true, onUnread })) {
    const name = relative(folder, path)
    there.add(name)
    if (stated.has(name) || name === MANIFEST_NAME) continue
    findings.push({ type: 'extra', path: name, problem: 'the manifest does not name it' })
  }
  return there
}

async function isAsStated(
  { folder, home }: OpenBackup,
  file: BackupFile,
  findings: BackupFinding[],
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const path = join(folder, file.path)
  const changed = (problem: string): boolean => {
    findings.push({ type: 'changed', path: file.path, problem })
    return false
  }
  try {
    const { size } = home.storage.statSync(path)
    if (size !== file.size) return changed(`it has ${size} bytes instead of ${file.size}`)
    const { sha256 } = await hashFile(home.storage, path, signal)
    return sha256 === file.sha256 || changed('its bytes are not those that were backed up')
  } catch (error) {
    signal?.throwIfAborted()
    return changed(messageOf(error))
  }
}

async function lookInside(backup: OpenBackup, file: BackupFile, findings: BackupFinding[]): Promise<void> {
  const { path } = file
  if (path.startsWith('blobs/') && basename(path) !== file.sha256) {
    findings.push({ type: 'damaged_blob', path, problem: 'its bytes are not what its name says' })
  }
  if (!isLog(path)) return
  try {
    const damage = await countDamage(backup, path)
    if (damage > 0) findings.push({ type: 'damaged_log', path, problem: `${damage} places in it are no entries` })
  } catch (error) {
    findings.push({ type: 'damaged_log', path, problem: messageOf(error) })
  }
}

async function countDamage({ folder, home }: OpenBackup, path: string): Promise<number> {
  const { storage, locks } = home
  const log = await FileLog.open({ storage, locks, path: join(folder, path), readOnly: 'asked' })
  try {
    const { skipped, unreadable, unlisted } = log.report()
    return skipped.filter(({ severity }) => severity === 'damage').length + unreadable.length + unlisted
  } finally {
    await log.close()
  }
}

export function isLog(path: string): boolean {
  return path.startsWith('sessions/') && path.endsWith('.jsonl')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
