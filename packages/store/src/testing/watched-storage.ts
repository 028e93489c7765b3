import { createFileStorage } from '../storage/file-storage.ts'
import type { SessionStorage, SessionStorageWriter } from '../storage/storage.ts'

export interface Watched {
  readonly storage: SessionStorage
  /** How often a log was written to and synced, and how many bytes of logs were read. */
  writes: number
  syncs: number
  readBytes: number
}

/** Real files that count what is done to logs. */
export function watchStorage(): Watched {
  const real = createFileStorage()
  const watched: Watched = { storage: real, writes: 0, syncs: 0, readBytes: 0 }
  const count = <T extends object>(path: string, file: T): T =>
    path.endsWith('.jsonl') ? counted(watched, file) : file
  const storage: SessionStorage = {
    ...real,
    openReader: (path) => count(path, real.openReader(path)),
    openWriter: (path, options) => count(path, real.openWriter(path, options)),
  }
  return Object.assign(watched, { storage })
}

function counted<T extends object>(watched: Watched, file: T): T {
  const on = (name: string, args: readonly unknown[]): void => {
    if (name === 'write' || name === 'writeSync') watched.writes++
    if (name === 'datasync' || name === 'datasyncSync') watched.syncs++
    if (name === 'read' || name === 'readSync') watched.readBytes += (args[0] as Uint8Array).length
  }
  return new Proxy(file, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        on(String(key), args)
        return (value as (...args: unknown[]) => unknown).apply(target as SessionStorageWriter, args)
      }
    },
  })
}
