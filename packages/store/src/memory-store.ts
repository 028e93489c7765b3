import { createBlobStore } from './blobs/blob-store.ts'
import { ensureHome } from './home.ts'
import { createMemoryLocks } from './locks/memory-locks.ts'
import { LogStore } from './log-store.ts'
import { homePaths } from './paths.ts'
import { createMemoryStorage } from './storage/memory-storage.ts'
import type { SessionStorage } from './storage/storage.ts'
import type { SessionStore, StoreOptions } from './store.ts'

export interface MemoryStoreOptions extends StoreOptions {
  /** Several stores over one of these are like several processes over one disk. */
  readonly storage?: SessionStorage
  readonly home?: string
}

/** The same store with nothing on a disk (S25): for tests, and for sessions that are to leave no trace. */
export async function openMemoryStore(options: MemoryStoreOptions = {}): Promise<SessionStore> {
  const { storage = createMemoryStorage(), home = '/treeline', durability, buffer } = options
  const paths = homePaths(home)
  ensureHome(storage, paths)
  const blobs = createBlobStore({ storage, paths })
  return new LogStore({ storage, locks: createMemoryLocks(), blobs, paths, durability, buffer })
}
