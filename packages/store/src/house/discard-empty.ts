import { decodeLog } from '@treeline/core'
import type { Home } from '../home.ts'
import { columnsKey } from '../log/columns-key.ts'
import { errnoOf, storageError } from '../storage-error.ts'

/** What a session may hold that nobody would miss: who was to answer, and how hard to think. */
const SETTINGS: ReadonlySet<unknown> = new Set(['model_change', 'thinking_level_change', 'mode_change'])
/** One in which nothing was said is far smaller. */
const MAX_BYTES = 64 * 1024

/**
 * Removes a session in which nothing was ever said: a header, and settings at most. Whoever opens a chat and leaves it
 * again leaves nothing behind. Anything else in the log, a name or a damaged line, keeps it. Says whether it is gone.
 */
export async function discardEmpty(home: Home, path: string, sessionId: string): Promise<boolean> {
  const { storage, paths, locks, presence } = home
  if (!paths.isSessionFile(path)) return false
  const aside = `${path}.empty`
  try {
    // Under the lock, so that nobody says something between the last look and the end.
    const isMoved = await locks.run(sessionId, () => {
      if (presence.openLogs().has(path) || !isEmpty(home, path, sessionId)) return false
      storage.renameSync(path, aside)
      return true
    })
    if (isMoved) await storage.unlink(aside)
    const columns = paths.columnsFile(columnsKey(paths, path))
    if (isMoved && storage.existsSync(columns)) await storage.unlink(columns)
    return isMoved
  } catch (error) {
    throw storageError(error, 'The empty session could not be removed', path)
  }
}

function isEmpty({ storage }: Home, path: string, sessionId: string): boolean {
  const bytes = readSmall(storage, path)
  if (bytes === undefined) return false
  const { header, titleSlot, records, skipped } = decodeLog(bytes)
  if (header?.value.id !== sessionId || titleSlot !== undefined || skipped.length > 0) return false
  if (header.value.title !== undefined) return false
  return records.every(({ value }) => SETTINGS.has(value.type))
}

/** All of a file, unless it is large or gone. */
function readSmall(storage: Home['storage'], path: string): Uint8Array | undefined {
  try {
    const { size } = storage.statSync(path)
    if (size > MAX_BYTES) return undefined
    const reader = storage.openReader(path)
    try {
      const bytes = new Uint8Array(size)
      return reader.readSync(bytes, 0) === size ? bytes : undefined
    } finally {
      reader.closeSync()
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}
