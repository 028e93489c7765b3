import { openMemoryHome } from './home.ts'
import { LogStore } from './log-store.ts'
import type { SessionStorage } from './storage/storage.ts'
import type { SessionStore, StoreOptions } from './store.ts'

export interface MemoryStoreOptions extends StoreOptions {
  /** Several stores over one of these are like several processes over one disk. */
  readonly storage?: SessionStorage
  readonly home?: string
}

/** The same store with nothing on a disk (S25): for tests, and for sessions that are to leave no trace. */
export async function openMemoryStore(options: MemoryStoreOptions = {}): Promise<SessionStore> {
  const { home, storage, durability, buffer } = options
  return new LogStore({ ...openMemoryHome({ home, storage }), durability, buffer })
}
