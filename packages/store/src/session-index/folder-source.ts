import { realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { TreelineError } from '@treeline/core'
import { createFileLocks } from '../locks/file-locks.ts'
import type { OnUnread } from '../log-files.ts'
import { moduleUrl } from '../module-url.ts'
import { type HomePaths, homePaths } from '../paths.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { errnoOf } from '../storage-error.ts'
import { createLogSource } from './log-source.ts'
import type { SessionSource, SourceModule } from './session-source.ts'

export interface FolderSourceOptions {
  /** The tool's name, e.g. `pi`. */
  readonly name: string
  /** Each holds logs (`*.jsonl`), or one folder per project and those the logs; no deeper. Missing ones hold nothing. */
  readonly folders: readonly string[]
  /** Our own home, where columns are saved. What is ours in it is not listed again. */
  readonly home: string
}

/** Another tool's logs, as `sources` of `openIndex` wants them. */
export function folderSource(options: FolderSourceOptions): SourceModule {
  return { module: moduleUrl('folder-source', import.meta.url), options }
}

/** What the index calls, in whichever thread it works. */
export function createSource(options: unknown): SessionSource {
  if (!isOptions(options)) {
    throw new TreelineError('bad_request', 'Folders of sessions need a name, the folders and a home, all texts.')
  }
  const { name, folders, home } = options
  const storage = createFileStorage()
  const paths = homePaths(home)
  const list = (unread: OnUnread) => listOnce(storage, folders, paths, unread)
  return createLogSource({ storage, paths, locks: createFileLocks({ paths }), name, folders, list })
}

/** A file that several of the folders lead to, by links or because one is in another, is listed once. */
function* listOnce(
  storage: SessionStorage,
  folders: readonly string[],
  paths: HomePaths,
  unread: OnUnread,
): Generator<string> {
  const ours = [paths.home, paths.sessions].map((dir) => realPath(dir, () => {}))
  const isOurs = (dir: string) => ours.includes(dir) || dir.startsWith(`${ours[1]}${sep}`)
  const seen = new Set<string>()
  for (const folder of folders) {
    const real = realPath(folder, unread)
    if (real === undefined) continue
    for (const dir of withProjects(storage, real, unread)) {
      if (seen.has(dir) || isOurs(dir)) continue
      seen.add(dir)
      yield* tryList(dir, () => storage.listFilesSync(dir, '*.jsonl'), unread)
    }
  }
}

/** Folders in it that are links are not followed, so below a real path all paths are real. */
function* withProjects(storage: SessionStorage, folder: string, unread: OnUnread): Generator<string> {
  yield folder
  for (const project of tryList(folder, () => storage.listDirsSync(folder), unread)) yield join(folder, project)
}

function realPath(path: string, unread: OnUnread): string | undefined {
  try {
    return realpathSync(path)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT' && errnoOf(error) !== 'ENOTDIR') unread(path, error)
    return undefined
  }
}

function tryList(dir: string, list: () => string[], unread: OnUnread): readonly string[] {
  try {
    return list()
  } catch (error) {
    unread(dir, error)
    return []
  }
}

function isOptions(value: unknown): value is FolderSourceOptions {
  if (typeof value !== 'object' || value === null) return false
  const { name, folders, home } = value as Readonly<Record<string, unknown>>
  if (!Array.isArray(folders)) return false
  return [name, home, ...folders].every((text) => typeof text === 'string')
}
