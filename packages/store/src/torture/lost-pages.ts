import type { SessionStorage, StorageReader } from '../storage/storage.ts'
import { readBytes } from './place-log.ts'

interface LostRange {
  readonly path: string
  readonly identity: string
  readonly from: number
  readonly to: number
}

/**
 * A storage whose failed syncs lose data, as Linux does: the dirty pages are marked clean although they never reached the
 * disk, can still be read from the cache, and no later sync writes them. `lose` then drops the cache (D5).
 */
export function withLostPages(storage: SessionStorage): { storage: SessionStorage; lose(raw: SessionStorage): void } {
  const synced = new Map<string, number>()
  let lost: LostRange[] = []
  /** Syncs under way, and how much each covers. */
  const flying = new Set<{ to: number; identity: string }>()

  function watch<T extends StorageReader>(file: T, path: string): T {
    const { identity, size } = file.statSync()
    if (!synced.has(identity)) synced.set(identity, size)
    const settle = (to: number, failed: boolean): void => {
      const from = synced.get(identity)!
      if (failed && to > from) lost.push({ path, identity, from, to })
      synced.set(identity, Math.max(from, to))
    }
    const syncing = async (sync: () => Promise<void>): Promise<void> => {
      const one = { to: file.statSync().size, identity }
      flying.add(one)
      let failed = true
      try {
        await sync()
        failed = false
      } finally {
        flying.delete(one)
        settle(one.to, failed)
      }
    }
    const [datasync, datasyncSync] = [file.datasync.bind(file), file.datasyncSync.bind(file)]
    const truncateSync = 'truncateSync' in file ? (file.truncateSync as (size: number) => void).bind(file) : undefined
    return Object.assign(file, {
      datasync: () => syncing(datasync),
      datasyncSync: () => {
        const { size: to } = file.statSync()
        let failed = true
        try {
          datasyncSync()
          failed = false
        } finally {
          settle(to, failed)
        }
      },
      ...(truncateSync && {
        truncateSync: (to: number) => {
          truncateSync(to)
          synced.set(identity, Math.min(synced.get(identity)!, to))
          // What is written there anew is dirty again.
          for (const one of flying) if (one.identity === identity) one.to = Math.min(one.to, to)
          lost = lost.map((one) =>
            one.identity === identity ? { ...one, from: Math.min(one.from, to), to: Math.min(one.to, to) } : one,
          )
        },
      }),
    })
  }

  return {
    storage: {
      ...storage,
      openReader: (path) => watch(storage.openReader(path), path),
      openWriter: (path, options) => watch(storage.openWriter(path, options), path),
    },
    lose(raw) {
      for (const { path, identity, from, to } of lost) {
        if (!raw.existsSync(path) || raw.statSync(path).identity !== identity) continue
        const bytes = readBytes(raw, path)
        bytes.fill(0, from, Math.min(to, bytes.length))
        const file = raw.openWriter(path, { flags: 'w' })
        file.writeSync(bytes)
        file.datasyncSync()
        file.closeSync()
      }
    },
  }
}
