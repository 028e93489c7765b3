import { join } from 'node:path'
import { TreelineError } from '@treeline/core'
import { createFileLocks } from '../locks/file-locks.ts'
import type { OnUnread } from '../log-files.ts'
import { homePaths } from '../paths.ts'
import { createFileStorage } from '../storage/file-storage.ts'
import type { SessionStorage } from '../storage/storage.ts'
import { createLogSource } from './log-source.ts'
import type { SessionSource, SourceModule } from './session-source.ts'

export interface FolderSourceOptions {
  /** The tool's name, e.g. `pi`. */
  readonly name: string
  /** Holds logs (`*.jsonl`), or one folder per project and those the logs; no deeper. */
  readonly folder: string
  /** Our own home, where columns are saved. */
  readonly home: string
}

/** Another tool's logs, as `sources` of `openIndex` wants them. */
export function folderSource(options: FolderSourceOptions): SourceModule {
  return { module: import.meta.url, options }
}

/** What the index calls, in whichever thread it works. */
export function createSource(options: unknown): SessionSource {
  if (!isOptions(options)) {
    throw new TreelineError('bad_request', 'A folder of sessions needs a name, a folder and a home, all texts.')
  }
  const { name, folder, home } = options
  const storage = createFileStorage()
  const paths = homePaths(home)
  const list = (unread: OnUnread) => listFolder(storage, folder, unread)
  return createLogSource({ storage, paths, locks: createFileLocks({ paths }), name, list })
}

function* listFolder(storage: SessionStorage, folder: string, unread: OnUnread): Generator<string> {
  yield* tryList(folder, () => storage.listFilesSync(folder, '*.jsonl'), unread)
  for (const dir of tryList(folder, () => storage.listDirsSync(folder), unread)) {
    const project = join(folder, dir)
    yield* tryList(project, () => storage.listFilesSync(project, '*.jsonl'), unread)
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
  const { name, folder, home } = value as Readonly<Record<string, unknown>>
  return typeof name === 'string' && typeof folder === 'string' && typeof home === 'string'
}
