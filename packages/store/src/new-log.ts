import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { encodeHeader, type SessionHeader } from '@treeline/core'
import type { Home } from './home.ts'
import type { LogReader } from './log/log-reader.ts'
import { EarlySync } from './storage/early-sync.ts'
import type { SessionStorageWriter } from './storage/storage.ts'
import { sizeOf, writeAll, writePieces } from './storage/write-all.ts'
import { storageError } from './storage-error.ts'

/** So much is written between two syncs: in a moment, and enough that the disk is not asked for less than it likes. */
const SYNCED_BYTES = 1024 * 1024

export interface NewLog {
  readonly path: string
  readonly header: SessionHeader
  /** What follows the header, in batches of pieces. Each is written before the one after the next is asked for. */
  readonly lines?: AsyncIterable<readonly Uint8Array[]> | undefined
  /** Told of the header; of the lines by whoever makes them. */
  readonly reader?: LogReader | undefined
  /** Where somebody else may be making the same log. Without, its id was made for it a moment ago. */
  readonly claim?: Claim | undefined
  /** What has to be durable before there is such a log: it comes about while the lines are written. */
  readonly before?: Promise<unknown> | undefined
}

interface Claim {
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
  const { claim, before } = log
  // Heard where it is waited for, if the lines come that far.
  before?.catch(() => {})
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
    await before
    const place = (): void => {
      if (claim?.mayPlace() === false) return
      storage.renameSync(temp, log.path)
      isPlaced = true
    }
    // Under the lock, so that of two who make the same session one is told (X17).
    if (claim === undefined) place()
    else await locks.run(claim.lockId, place)
    return isPlaced ? identity : undefined
  } catch (error) {
    throw storageError(error, 'The session could not be made', log.path)
  } finally {
    // What failed first is what the caller hears; a temp file that cannot be removed either does no harm.
    if (!isPlaced) await storage.unlink(temp).catch(() => {})
  }
}

/** Another thread and the disk are at work while lines are made: what is left to wait for at the end is little. */
async function writeLines(file: SessionStorageWriter, { header, lines, reader }: NewLog): Promise<void> {
  const first = encodeHeader(header, crc32)
  reader?.push(first)
  writeAll(file, first)
  const early = new EarlySync(file)
  let writing = Promise.resolve()
  try {
    let unsynced = 0
    for await (const some of lines ?? []) {
      await writing
      if (unsynced >= SYNCED_BYTES) {
        unsynced = 0
        early.begin()
      }
      writing = writePieces(file, some)
      // Heard where it is waited for; until then whoever makes the lines may wait for something else.
      writing.catch(() => {})
      unsynced += sizeOf(some)
    }
    await writing
  } finally {
    await Promise.allSettled([writing, early.done()])
  }
  await file.datasync()
}
