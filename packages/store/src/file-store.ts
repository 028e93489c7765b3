import { type HomeOptions, openHome } from './home.ts'
import { LogStore } from './log-store.ts'
import type { SessionStore, StoreOptions } from './store.ts'

export interface FileStoreOptions extends StoreOptions, HomeOptions {}

/**
 * Sessions as files under `<home>`, shared with every other process that uses the same home.
 *
 * @example
 * await using store = await openFileStore()
 * await using session = await store.create({ cwd: process.cwd() })
 */
export async function openFileStore(options: FileStoreOptions = {}): Promise<SessionStore> {
  const { home, storage, durability, buffer } = options
  return new LogStore({ ...openHome({ home, storage }), durability, buffer })
}
