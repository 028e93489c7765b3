import type { SessionStorage } from '../storage/storage.ts'
import { errnoOf } from '../storage-error.ts'

const LOOK_MS = 1000

/**
 * Calls back when the file may have changed. The storage's own watch is quick but only a hint, which network mounts and
 * full event queues keep to themselves, so the file is looked at now and then as well. What failed is tried again with
 * the next look. Keeps no process alive.
 */
export function watchLog(storage: SessionStorage, path: string, onChange: () => Promise<void>): () => void {
  let seen = look(storage, path)
  // Whoever reads or writes next is told why it failed.
  const stopWatching = storage.watch(path, () => void onChange().catch(() => {}))
  const timer = setInterval(() => {
    const now = look(storage, path)
    if (now === seen) return
    onChange().then(
      () => {
        seen = now
      },
      () => {},
    )
  }, LOOK_MS)
  timer.unref()
  return () => {
    stopWatching()
    clearInterval(timer)
  }
}

function look(storage: SessionStorage, path: string): string {
  try {
    const { identity, size, mtimeMs } = storage.statSync(path)
    return `${identity} ${size} ${mtimeMs}`
  } catch (error) {
    // Missing or out of reach is a state as any other.
    return errnoOf(error) ?? ''
  }
}
