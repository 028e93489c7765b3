import type { SessionStore, StoreOptions } from '../store.ts'

/** What a backend gives the suite for each test: an empty store, and others over the same data. */
export interface OpenedStore {
  readonly store: SessionStore
  /** A second, independent store over the same data, as another process would have. */
  reopen(options?: StoreOptions): Promise<SessionStore>
  /** Called after all stores were closed. */
  cleanup(): Promise<void>
}

export interface ContractOptions {
  open(): Promise<OpenedStore>
}

export interface Given extends AsyncDisposable {
  readonly store: SessionStore
  reopen(options?: StoreOptions): Promise<SessionStore>
}

/** Opens a store for one test; at its end every store it used is closed. */
export async function openGiven(options: ContractOptions): Promise<Given> {
  const opened = await options.open()
  const stores = [opened.store]
  return {
    store: opened.store,
    async reopen(options) {
      const store = await opened.reopen(options)
      stores.push(store)
      return store
    },
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store.close()
      await opened.cleanup()
    },
  }
}
