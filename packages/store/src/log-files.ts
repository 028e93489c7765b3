import { basename, resolve } from 'node:path'
import { TreelineError } from '@treeline/core'
import type { HomePaths } from './paths.ts'
import { readListedId } from './session/summary.ts'
import type { SessionStorage } from './storage/storage.ts'
import { storageError } from './storage-error.ts'

export interface LogFiles {
  readonly storage: SessionStorage
  readonly paths: HomePaths
}

/** More are not remembered: some 20 MB. */
const MAX_LISTED_IDS = 100_000

/** Told of a folder that cannot be read. */
export type OnUnread = (dir: string, error: unknown) => void

/** The paths of all logs, or of those in one project's folder. A folder that cannot be read hides no other (I7). */
export function* listLogs({ storage, paths }: LogFiles, unread: OnUnread, cwd?: string): Generator<string> {
  for (const dir of cwd === undefined ? listFolders(storage, paths) : [paths.sessionDir(cwd)]) {
    let files: readonly string[] = []
    try {
      files = storage.listFilesSync(dir, '*.jsonl')
    } catch (error) {
      unread(dir, error)
    }
    yield* files
  }
}

/** By the names of the files, and when none bears the id, by their headers: a log may have been renamed. */
export function findLogs(files: LogFiles, id: string, unread: OnUnread = skipFolder): string[] {
  if (id === '') return []
  const paths = [...listLogs(files, unread)]
  const named = paths.filter((path) => idInName(path) === id)
  return named.length > 0 ? named : paths.filter((path) => listedId(files.storage, path) === id)
}

interface ListedId {
  /** Of the file when it was read. */
  readonly stamp: string
  readonly id: string
}

/** What was read of files, as long as they are the same: an import asks for several ids, each of all files there are. */
const listedIds = new WeakMap<SessionStorage, Map<string, ListedId>>()

function listedId(storage: SessionStorage, path: string): string | undefined {
  const known = listedIds.get(storage) ?? new Map<string, ListedId>()
  listedIds.set(storage, known)
  const stamp = stampOf(storage, path)
  const found = known.get(path)
  if (found !== undefined && found.stamp === stamp) return found.id
  const id = readListedId(storage, path)
  if (known.size >= MAX_LISTED_IDS) known.clear()
  // What could not be read may be some other time.
  if (stamp !== undefined && id !== undefined) known.set(path, { stamp, id })
  return id
}

function stampOf(storage: SessionStorage, path: string): string | undefined {
  try {
    const { identity, size, mtimeMs } = storage.statSync(path)
    return `${identity} ${size} ${mtimeMs}`
  } catch {
    return undefined
  }
}

/** The one log of this id. Throws `session_not_found`, and `id_in_use` when there are several. */
export function findLog(files: LogFiles, id: string): string {
  const unread: string[] = []
  const [path, ...others] = findLogs(files, id, (dir) => unread.push(dir))
  if (path === undefined) {
    const where = unread.length === 0 ? '' : ` These folders cannot be read and may hold it: ${unread.join(', ')}.`
    const message = `There is no session ${id}. \`treeline ls --all\` shows what there is.${where}`
    throw new TreelineError('session_not_found', message)
  }
  if (others.length === 0) return path
  const message = `Several logs are session ${id}: ${[path, ...others].join(', ')}. Name one of them by its path.`
  throw new TreelineError('id_in_use', message)
}

export function findNamedLogs(files: LogFiles, id: string): string[] {
  return [...listLogs(files, skipFolder)].filter((path) => idInName(path) === id)
}

/** Logs whose id ends so, by the names of the files alone: quick, whatever an index has read so far. */
export function findLogsByEnd(files: LogFiles, end: string): string[] {
  const wanted = end.toLowerCase()
  return [...listLogs(files, skipFolder)].filter((path) => idInName(path).toLowerCase().endsWith(wanted))
}

/** `<timestamp>_<id>.jsonl`; a timestamp has no underscore. */
export function idInName(path: string): string {
  const name = basename(path, '.jsonl')
  return name.slice(name.indexOf('_') + 1)
}

function listFolders(storage: SessionStorage, paths: HomePaths): readonly string[] {
  try {
    return storage.listDirsSync(paths.sessions).map((dir) => resolve(paths.sessions, dir))
  } catch (error) {
    throw storageError(error, 'The sessions cannot be listed', paths.sessions)
  }
}

/** For whoever looks for one session; the list shows the folder and what the matter is. */
function skipFolder(): void {}
