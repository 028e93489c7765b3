import { storeContract } from './contract/index.ts'
import { openMemoryStore } from './memory-store.ts'
import { createMemoryStorage } from './storage/memory-storage.ts'

storeContract('The memory store', {
  async open() {
    const storage = createMemoryStorage()
    return {
      store: await openMemoryStore({ storage }),
      reopen: (options) => openMemoryStore({ storage, ...options }),
      cleanup: async () => {},
    }
  },
})
