import { createFileStorage } from '../storage/file-storage.ts'
import type { SessionStorage, StorageReader } from '../storage/storage.ts'

type Held = PromiseWithResolvers<void>

/** Real files; while it is held, a sync of a log ends when the test says so. */
export function holdSyncs(): { storage: SessionStorage; held: Held[]; isHeld: boolean } {
  const real = createFileStorage()
  const holding = { storage: real, held: [] as Held[], isHeld: false }
  const hold = <T extends StorageReader>(path: string, file: T): T => {
    const datasync = file.datasync.bind(file)
    const held = (): Promise<void> => {
      if (!holding.isHeld) return datasync()
      const sync = Promise.withResolvers<void>()
      holding.held.push(sync)
      return sync.promise
    }
    return path.endsWith('.jsonl') ? Object.assign(file, { datasync: held }) : file
  }
  const storage: SessionStorage = {
    ...real,
    openReader: (path) => hold(path, real.openReader(path)),
    openWriter: (path, options) => hold(path, real.openWriter(path, options)),
  }
  return Object.assign(holding, { storage })
}
