import { randomBytes } from 'node:crypto'
import { encodeHeader, type SessionHeader } from '@treeline/core'
import type { Home } from './home.ts'
import { writeAll } from './storage/write-all.ts'
import { storageError } from './storage-error.ts'

export interface NewLog {
  readonly path: string
  readonly header: SessionHeader
  /** What follows the header. */
  readonly lines?: AsyncIterable<Uint8Array> | undefined
  /** Given the path that the log has until it gets its name. */
  readonly edit?: ((path: string) => Promise<void>) | undefined
  /** The lock that whoever makes the same log takes as well. */
  readonly lockId: string
  /** Asked under the lock, at the last moment. */
  readonly mayPlace: () => boolean
}

/**
 * Under another name until it is whole and durable: a crash or a full disk leaves the log or nothing of it. False when it
 * may not be placed; then there is nothing of it either.
 */
export async function writeNewLog({ storage, locks }: Home, log: NewLog): Promise<boolean> {
  const temp = `${log.path}.${randomBytes(6).toString('hex')}.tmp`
  let isPlaced = false
  try {
    const file = storage.openWriter(temp, { flags: 'wx' })
    try {
      writeAll(file, encodeHeader(log.header))
      if (log.lines !== undefined) for await (const some of log.lines) writeAll(file, some)
      await file.datasync()
    } finally {
      file.closeSync()
    }
    await log.edit?.(temp)
    // Under the lock, so that of two who make the same session one is told (X17).
    await locks.run(log.lockId, () => {
      if (!log.mayPlace()) return
      storage.renameSync(temp, log.path)
      isPlaced = true
    })
    return isPlaced
  } catch (error) {
    throw storageError(error, 'The session could not be made', log.path)
  } finally {
    // What failed first is what the caller hears; a temp file that cannot be removed either does no harm.
    if (!isPlaced) await storage.unlink(temp).catch(() => {})
  }
}
