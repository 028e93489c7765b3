import { join } from 'node:path'
import { TreelineError } from '@treeline/core'
import type { SessionStorage } from '../storage/storage.ts'
import { errnoOf, storageError } from '../storage-error.ts'

export const MANIFEST_NAME = 'manifest.json'
const FORMAT = 'treeline-backup'
const VERSION = 1
/** A million files are a quarter of this. */
const MAX_MANIFEST_BYTES = 512 * 1024 * 1024
const MAX_NAME_BYTES = 255
const MAX_LEVELS = 32
const SHA256 = /^[a-f0-9]{64}$/

/** What a backup may hold at its top: as in a home, less what is derived or belongs to running processes. */
const BACKED_UP_FOLDERS = ['sessions', 'trash', 'partial', 'terminal-sessions', 'in-place', 'blobs'] as const
export const HISTORY_NAME = 'history.db'
export const BACKED_UP_FILES = ['audit.jsonl', 'settings.json', HISTORY_NAME] as const
const FOLDERS: ReadonlySet<string> = new Set(BACKED_UP_FOLDERS)
const FILES: ReadonlySet<string> = new Set(BACKED_UP_FILES)

/** What a backup holds. Written last: a folder without it is no backup. */
export interface BackupManifest {
  readonly createdAt: string
  /** False when something in the home could not be read when the backup was made. */
  readonly isComplete: boolean
  readonly files: readonly BackupFile[]
}

export interface BackupFile {
  /** Relative to the backup as to the home, with `/` between the names. */
  readonly path: string
  readonly size: number
  readonly sha256: string
}

export function formatManifest({ createdAt, isComplete, files }: BackupManifest): string {
  const lines = files.map(({ path, size, sha256 }) => JSON.stringify({ path, size, sha256 }))
  const head = JSON.stringify({ format: FORMAT, version: VERSION, createdAt, isComplete }).slice(0, -1)
  return `${head},"files":[\n${lines.join(',\n')}\n]}\n`
}

export async function readManifest(storage: SessionStorage, folder: string): Promise<BackupManifest> {
  const path = join(folder, MANIFEST_NAME)
  let text: string
  try {
    if (storage.statSync(path).size > MAX_MANIFEST_BYTES) throw unusable(path, 'it is too large to be one')
    text = await storage.readText(path)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') throw unusable(path, 'it is not there: this is no backup, or one never finished')
    throw storageError(error, 'The manifest of the backup cannot be read', path)
  }
  return parseManifest(text, path)
}

/** Everything in it is checked before anything is done with it: a backup may come from anywhere (K3). */
function parseManifest(text: string, path: string): BackupManifest {
  const value = parseJson(text, path)
  if (!isRecord(value) || value.format !== FORMAT) throw unusable(path, 'it is no manifest of a Treeline backup')
  if (value.version !== VERSION) {
    throw unusable(path, `this Treeline knows version ${VERSION} of backups, and it is of another`)
  }
  const { createdAt, isComplete, files } = value
  if (typeof createdAt !== 'string' || typeof isComplete !== 'boolean' || !Array.isArray(files)) {
    throw unusable(path, 'fields are missing')
  }
  const seen = new Set<string>()
  const checked = files.map((file: unknown) => checkFile(file, path))
  for (const file of checked) {
    if (seen.has(file.path)) throw unusable(path, `it names ${shown(file.path)} twice`)
    seen.add(file.path)
  }
  return { createdAt, isComplete, files: checked }
}

function checkFile(file: unknown, manifest: string): BackupFile {
  if (!isRecord(file)) throw unusable(manifest, 'a file in it is no object')
  const { path, size, sha256 } = file
  if (typeof path !== 'string' || !isBackupPath(path)) throw unusable(manifest, `${shown(path)} is no path in a backup`)
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) {
    throw unusable(manifest, `${shown(path)} has no size that can be`)
  }
  if (typeof sha256 !== 'string' || !SHA256.test(sha256)) throw unusable(manifest, `${shown(path)} has no checksum`)
  return { path, size, sha256 }
}

/** Whether it stays inside the backup and is something a backup holds. */
function isBackupPath(path: string): boolean {
  if (path.includes('\0') || path.includes('\\')) return false
  const names = path.split('/')
  const [top = ''] = names
  if (names.length === 1) return FILES.has(top)
  if (!FOLDERS.has(top) || names.length > MAX_LEVELS) return false
  if (top === 'blobs' && (names.length !== 2 || !SHA256.test(names[1]!))) return false
  return names.every(isName)
}

function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && Buffer.byteLength(name) <= MAX_NAME_BYTES
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw unusable(path, `it is not JSON (${(error as Error).message})`)
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 200)) : `something of type ${typeof value}`
}

function unusable(path: string, why: string): TreelineError {
  return new TreelineError('damaged', `The backup cannot be used: ${why} (${path}). Choose another backup.`)
}
