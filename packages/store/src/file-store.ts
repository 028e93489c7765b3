import { realpathSync } from 'node:fs'
import { createBlobStore } from './blobs/blob-store.ts'
import { createFileLocks } from './locks/file-locks.ts'
import { ensureHome, LogStore } from './log-store.ts'
import { defaultHome, homePaths } from './paths.ts'
import { createFileStorage } from './storage/file-storage.ts'
import type { SessionStorage } from './storage/storage.ts'
import { errnoOf, storageError } from './storage-error.ts'
import type { SessionStore, StoreOptions } from './store.ts'

export interface FileStoreOptions extends StoreOptions {
  /** `$TREELINE_HOME` or `~/.treeline` by default. */
  readonly home?: string
  /** Real files by default; tests give one that fails or crashes. */
  readonly storage?: SessionStorage
}

/**
 * Sessions as files under `<home>`, shared with every other process that uses the same home.
 *
 * @example
 * await using store = await openFileStore()
 * await using session = await store.create({ cwd: process.cwd() })
 */
export async function openFileStore(options: FileStoreOptions = {}): Promise<SessionStore> {
  const { home = defaultHome(), storage = createFileStorage(), durability, buffer } = options
  const paths = homePaths(followLink(home))
  ensureHome(storage, paths)
  const blobs = createBlobStore({ storage, paths })
  return new LogStore({ storage, locks: createFileLocks({ paths }), blobs, paths, durability, buffer })
}

/** Whoever keeps their home on another disk has said so by the link; below it none is followed. */
function followLink(home: string): string {
  try {
    return realpathSync(home)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return home
    throw storageError(error, 'The folder for sessions cannot be used', home)
  }
}
