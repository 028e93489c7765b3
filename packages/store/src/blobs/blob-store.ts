import { createHash, randomUUID } from 'node:crypto'
import { TreelineError } from '@treeline/core'
import type { HomePaths } from '../paths.ts'
import type { SessionStorage, SessionStorageWriter } from '../storage/storage.ts'
import { writeAll } from '../storage/write-all.ts'
import { errnoOf, storageError } from '../storage-error.ts'
import { type BlobRef, blobRef, hashOf, type PutBlob, type ReadBlob } from './blob-ref.ts'

/** Large values, each kept once under the hash of its bytes (S2). */
export interface BlobStore {
  /**
   * When this resolves the blob survives power loss; until then the bytes must not be changed. Bytes that are there
   * already are not written again, but are new from then on: their line may come within the hours for which new blobs are
   * left alone.
   */
  readonly put: PutBlob
  /** Hashed again on the way out: what comes back is what was put, or an error `damaged` (I2). */
  readonly read: ReadBlob
  has(ref: BlobRef): Promise<boolean>
}

export interface BlobStoreOptions {
  readonly storage: SessionStorage
  readonly paths: HomePaths
}

export function createBlobStore({ storage, paths }: BlobStoreOptions): BlobStore {
  /** Puts under way, so that the same bytes at the same time are written once. */
  const writing = new Map<string, Promise<void>>()

  async function write(hash: string, bytes: Uint8Array): Promise<void> {
    const path = paths.blobFile(hash)
    try {
      storage.ensureDirSync(paths.blobs)
      const found = await readFile(storage, path, bytes.length)
      const isThere = found !== undefined && Buffer.compare(found, bytes) === 0 && (await touch(storage, path))
      // Renamed by another process, perhaps, that has not come to syncing the folder yet.
      if (isThere) await storage.syncDir(paths.blobs)
      else await writeNew(storage, paths.blobTempFile(hash, randomUUID()), path, bytes)
    } catch (error) {
      throw storageError(error, 'A blob could not be stored', path)
    }
  }

  return {
    async put(bytes) {
      const hash = sha256(bytes)
      const running = writing.get(hash) ?? write(hash, bytes).finally(() => writing.delete(hash))
      writing.set(hash, running)
      await running
      return blobRef(hash)
    },

    async read(ref) {
      const hash = hashOf(ref)
      const path = paths.blobFile(hash)
      const bytes = await readFile(storage, path).catch((cause) => {
        const error = storageError(cause, 'A blob could not be read', path)
        const isLost = LOST.has(errnoOf(cause))
        throw isLost ? new TreelineError('damaged', error.message, {}, { cause }) : error
      })
      if (bytes === undefined || sha256(bytes) === hash) return bytes
      const message = `The blob ${hash} is damaged: its bytes are not those that were stored. Restore ${path} from a backup.`
      throw new TreelineError('damaged', message)
    },

    async has(ref) {
      return storage.exists(paths.blobFile(hashOf(ref)))
    },
  }
}

/** What trying again does not mend. */
const LOST: ReadonlySet<string | undefined> = new Set(['EIO', 'EISDIR', 'ENXIO', 'ENOTDIR'])

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The file's bytes; `undefined` when it is missing, or, for whoever has a blob of that `size`, not good for it. */
async function readFile(storage: SessionStorage, path: string, size?: number): Promise<Uint8Array | undefined> {
  if (!storage.existsSync(path)) return undefined
  try {
    const file = storage.openReader(path)
    try {
      const stat = file.statSync()
      if (size !== undefined && stat.size !== size) return undefined
      const bytes = new Uint8Array(stat.size)
      const length = await file.read(bytes, 0)
      return bytes.subarray(0, length)
    } finally {
      file.closeSync()
    }
  } catch (error) {
    const errno = errnoOf(error)
    if (errno === 'ENOENT' || (size !== undefined && (errno === 'ELOOP' || LOST.has(errno)))) return undefined
    throw error
  }
}

/**
 * Whoever removes blobs that no line names leaves the recent ones alone: the line of this one is still to come. False
 * when it was removed just now.
 */
async function touch(storage: SessionStorage, path: string): Promise<boolean> {
  try {
    await storage.touch(path)
    return true
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false
    throw error
  }
}

/** Under a name of its own until it is whole and synced: the final name never shows half a blob, whenever we die. */
async function writeNew(storage: SessionStorage, temp: string, path: string, bytes: Uint8Array): Promise<void> {
  const file = storage.openWriter(temp, { flags: 'wx' })
  try {
    await fill(file, bytes)
    await storage.rename(temp, path)
  } catch (error) {
    // What failed first is what the caller hears; a temp file that cannot be removed either does no harm.
    await storage.unlink(temp).catch(() => {})
    throw error
  }
}

async function fill(file: SessionStorageWriter, bytes: Uint8Array): Promise<void> {
  try {
    writeAll(file, bytes)
    await file.fsync()
  } finally {
    await file.close()
  }
}
