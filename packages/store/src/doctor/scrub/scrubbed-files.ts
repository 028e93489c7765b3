import { basename, dirname, join, relative, sep } from 'node:path'
import type { Home } from '../../home.ts'
import { errnoOf } from '../../storage-error.ts'
import { isTempName, TEMP_AGE_MS } from '../file-mode.ts'

/**
 * - `log`: a session, written under its lock. `lines`: anything else, line by line.
 * - `blob`: named by the hash of its bytes. `columns`: a cache, removed when it holds the secret.
 * - `busy`: a write that may be going on, which must not be touched. `old_temp`: one that ended long ago.
 */
export type FileKind = 'log' | 'lines' | 'blob' | 'columns' | 'busy' | 'old_temp'

export interface ScrubbedFile {
  readonly path: string
  readonly kind: FileKind
  readonly size: number
  readonly identity: string
}

const HASH = /^[a-f0-9]{64}$/
/** Of the files that SQLite keeps of one database. */
const ENDINGS = ['', '-wal', '-shm', '-journal']

/**
 * Every file under the home in which a secret can be, databases aside. Those are opened by SQLite alone: closing any other
 * descriptor of theirs would drop its locks.
 */
export function* listScrubbedFiles(
  home: Home,
  onUnread: (dir: string, error: unknown) => void,
): Generator<ScrubbedFile> {
  const { storage, paths } = home
  const skipped: ReadonlySet<string> = new Set([paths.locks, paths.presence, paths.scrub])
  const open = [paths.home]
  for (let dir = open.pop(); dir !== undefined; dir = open.pop()) {
    if (skipped.has(dir)) continue
    try {
      const files = [...storage.listFilesSync(dir, '*'), ...storage.listFilesSync(dir, '.*')]
      for (const path of files) {
        const file = describeFile(home, path)
        if (file !== undefined) yield file
      }
      for (const name of storage.listDirsSync(dir)) open.push(join(dir, name))
    } catch (error) {
      if (errnoOf(error) === undefined) throw error
      onUnread(dir, error)
    }
  }
}

function describeFile(home: Home, path: string): ScrubbedFile | undefined {
  if (isDatabase(home, path)) return undefined
  try {
    const { size, identity, mtimeMs } = home.storage.statSync(path)
    const isOld = Date.now() - mtimeMs > TEMP_AGE_MS
    return { path, size, identity, kind: isTempName(path) ? (isOld ? 'old_temp' : 'busy') : kindOf(home, path) }
  } catch (error) {
    // Removed or renamed since it was listed.
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function kindOf({ paths }: Home, path: string): FileKind {
  if (paths.isSessionFile(path)) return 'log'
  if (path.endsWith('.cols') || path === paths.savedPage) return 'columns'
  return basename(dirname(path)) === 'blobs' && HASH.test(basename(path)) ? 'blob' : 'lines'
}

/** The index is thrown away as a whole, the history has its own way of forgetting. */
function isDatabase({ paths }: Home, path: string): boolean {
  const databases = [paths.indexFile, paths.indexLock, paths.historyFile]
  return databases.some((database) => ENDINGS.some((ending) => path === database + ending))
}

/** Where a file belongs, for a person: `sessions`, `trash`, `partial` … */
export function areaOf({ paths }: Pick<Home, 'paths'>, path: string): string {
  const [first = '', ...rest] = relative(paths.home, path).split(sep)
  return rest.length === 0 ? 'home' : first
}
