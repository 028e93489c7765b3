import { realpathSync } from 'node:fs'
import { type BlobStore, createBlobStore } from './blobs/blob-store.ts'
import { createFileLocks } from './locks/file-locks.ts'
import type { SessionLocks } from './locks/locks.ts'
import { createMemoryLocks } from './locks/memory-locks.ts'
import { defaultHome, type HomePaths, homePaths } from './paths.ts'
import { createFilePresence } from './presence/file-presence.ts'
import { createMemoryPresence } from './presence/memory-presence.ts'
import type { Presence } from './presence/presence.ts'
import { createFileStorage } from './storage/file-storage.ts'
import { createMemoryStorage } from './storage/memory-storage.ts'
import type { SessionStorage } from './storage/storage.ts'
import { errnoOf, storageError } from './storage-error.ts'

export interface HomeOptions {
  /** `$TREELINE_HOME` or `~/.treeline` by default. */
  readonly home?: string | undefined
  /** Real files by default; tests give one that fails or crashes. */
  readonly storage?: SessionStorage | undefined
}

/** What everything that works on one home needs: its files, its locks, its blobs and where they are. */
export interface Home extends Disposable {
  readonly storage: SessionStorage
  readonly locks: SessionLocks
  readonly blobs: BlobStore
  readonly paths: HomePaths
  readonly presence: Presence
}

/**
 * The folder is made when it is missing.
 *
 * @example
 * using home = openHome()
 * await using index = await openIndex({ home })
 */
export function openHome({ home = defaultHome(), storage = files() }: HomeOptions = {}): Home {
  const paths = homePaths(followLink(storage, home))
  ensureHome(storage, paths)
  return homeOf(storage, paths, createFileLocks({ paths }), createFilePresence(paths))
}

let storageOfAll: SessionStorage | undefined

/** One for all stores of this process: what a sync that failed may have lost of a file is known to all who open it (D5). */
function files(): SessionStorage {
  storageOfAll ??= createFileStorage()
  return storageOfAll
}

/** A home with nothing on a disk. Several over one storage are like several processes over one disk. */
export function openMemoryHome({ home = '/treeline', storage = createMemoryStorage() }: HomeOptions = {}): Home {
  const paths = homePaths(home)
  ensureHome(storage, paths)
  return homeOf(storage, paths, createMemoryLocks(), createMemoryPresence(storage))
}

function homeOf(storage: SessionStorage, paths: HomePaths, locks: SessionLocks, presence: Presence): Home {
  const blobs = createBlobStore({ storage, paths })
  const dispose = (): void => {
    locks.close()
    presence.close()
  }
  return { storage, paths, locks, blobs, presence, [Symbol.dispose]: dispose }
}

function ensureHome(storage: SessionStorage, { home }: HomePaths): void {
  try {
    storage.ensureDirSync(home)
  } catch (error) {
    throw storageError(error, 'The folder for sessions cannot be used', home)
  }
}

/** Whoever keeps their home on another disk has said so by the link; below it none is followed. */
function followLink(storage: SessionStorage, home: string): string {
  const found = realPath(home)
  if (found !== undefined) return found
  // Made here already, so that it is called the same the first time as ever after, whatever links lead to it.
  ensureHome(storage, homePaths(home))
  return realPath(home) ?? home
}

function realPath(home: string): string | undefined {
  try {
    return realpathSync(home)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw storageError(error, 'The folder for sessions cannot be used', home)
  }
}
