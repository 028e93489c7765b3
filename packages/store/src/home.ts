import { realpathSync } from 'node:fs'
import { type BlobStore, createBlobStore } from './blobs/blob-store.ts'
import { createFileLocks } from './locks/file-locks.ts'
import type { SessionLocks } from './locks/locks.ts'
import { defaultHome, type HomePaths, homePaths } from './paths.ts'
import { createFileStorage } from './storage/file-storage.ts'
import type { SessionStorage } from './storage/storage.ts'
import { errnoOf, storageError } from './storage-error.ts'

export interface HomeOptions {
  /** `$TREELINE_HOME` or `~/.treeline` by default. */
  readonly home?: string | undefined
  /** Real files by default; tests give one that fails or crashes. */
  readonly storage?: SessionStorage | undefined
}

/** What everything that works on one home needs: its files, its locks, its blobs and where they are. */
export interface Home {
  readonly storage: SessionStorage
  readonly locks: SessionLocks
  readonly blobs: BlobStore
  readonly paths: HomePaths
}

/** The folder is made when it is missing. `home.locks.close()` when done. */
export function openHome({ home = defaultHome(), storage = createFileStorage() }: HomeOptions = {}): Home {
  const paths = homePaths(followLink(home))
  ensureHome(storage, paths)
  return { storage, paths, locks: createFileLocks({ paths }), blobs: createBlobStore({ storage, paths }) }
}

export function ensureHome(storage: SessionStorage, { home }: HomePaths): void {
  try {
    storage.ensureDirSync(home)
  } catch (error) {
    throw storageError(error, 'The folder for sessions cannot be used', home)
  }
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
