import { randomBytes } from 'node:crypto'
import { encodeHeader, type SessionHeader } from '@treeline/core'
import type { Home } from './home.ts'
import type { LogReader } from './log/log-reader.ts'
import { EarlySync } from './storage/early-sync.ts'
import type { SessionStorageWriter } from './storage/storage.ts'
import { writeAll } from './storage/write-all.ts'
import { storageError } from './storage-error.ts'

export interface NewLog {
  readonly path: string
  readonly header: SessionHeader
  /** What follows the header. Each piece is written before the next is asked for. */
  readonly lines?: AsyncIterable<Uint8Array> | undefined
  /** Told of the header; of the lines by whoever makes them. */
  readonly reader?: LogReader | undefined
  /** The lock that whoever makes the same log takes as well. */
  readonly lockId: string
  /** Asked under the lock, at the last moment. */
  readonly mayPlace: () => boolean
}

/**
 * Under another name until it is whole and durable: a crash or a full disk leaves the log or nothing of it. Gives the
 * identity of the file; nothing when it may not be placed, and then there is nothing of it either.
 */
export async function writeNewLog({ storage, locks }: Home, log: NewLog): Promise<string | undefined> {
  const temp = `${log.path}.${randomBytes(6).toString('hex')}.tmp`
  let isPlaced = false
  try {
    const file = storage.openWriter(temp, { flags: 'wx' })
    let identity: string
    try {
      identity = file.statSync().identity
      await writeLines(file, log)
    } finally {
      file.closeSync()
    }
    // Under the lock, so that of two who make the same session one is told (X17).
    await locks.run(log.lockId, () => {
      if (!log.mayPlace()) return
      storage.renameSync(temp, log.path)
      isPlaced = true
    })
    return isPlaced ? identity : undefined
  } catch (error) {
    throw storageError(error, 'The session could not be made', log.path)
  } finally {
    // What failed first is what the caller hears; a temp file that cannot be removed either does no harm.
    if (!isPlaced) await storage.unlink(temp).catch(() => {})
  }
}

/** The disk is at work while the lines are made: what is left to wait for at the end is little. */
async function writeLines(file: SessionStorageWriter, { header, lines, reader }: NewLog): Promise<void> {
  const first = encodeHeader(header)
  reader?.push(first)
  writeAll(file, first)
  const early = new EarlySync(file)
  try {
    for await (const some of lines ?? []) {
      writeAll(file, some)
      early.begin()
      // Others get their turn, and so does a sync that is done.
      await new Promise(setImmediate)
    }
  } finally {
    await early.done()
  }
  await file.datasync()
}
