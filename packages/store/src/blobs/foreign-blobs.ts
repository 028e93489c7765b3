import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { TreelineError } from '@treeline/core'
import type { SessionStorage } from '../storage/storage.ts'
import { errnoOf } from '../storage-error.ts'
import { hashOf } from './blob-ref.ts'
import type { BlobStore } from './blob-store.ts'

/** No image is this large. Whoever puts such a file there does not get it read into memory. */
const MAX_BYTES = 512 * 1024 * 1024

/**
 * Blobs of our own and, for what is not among them, of other tools: `<folder>/<sha256>`, looked for in the order of the
 * folders. Theirs are only ever read, never through a link, and hashed before anyone sees them.
 */
export function withFolders(own: BlobStore, storage: SessionStorage, folders: readonly string[]): BlobStore {
  if (folders.length === 0) return own
  return {
    put: own.put,

    async read(ref) {
      const hash = hashOf(ref)
      let damage: unknown
      const unlessDamaged = async (read: () => Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> => {
        try {
          return await read()
        } catch (error) {
          // A good copy may be somewhere else.
          if (!(error instanceof TreelineError) || error.code !== 'damaged') throw error
          damage ??= error
          return undefined
        }
      }
      let bytes = await unlessDamaged(() => own.read(ref))
      for (const folder of folders) bytes ??= await unlessDamaged(() => readForeign(storage, join(folder, hash), hash))
      if (bytes === undefined && damage !== undefined) throw damage
      return bytes
    },

    async has(ref) {
      const hash = hashOf(ref)
      return (await own.has(ref)) || folders.some((folder) => storage.existsSync(join(folder, hash)))
    },
  }
}

async function readForeign(storage: SessionStorage, path: string, hash: string): Promise<Uint8Array | undefined> {
  const bytes = await readFile(storage, path)
  if (bytes === undefined || createHash('sha256').update(bytes).digest('hex') === hash) return bytes
  throw damaged(path, 'its bytes are not those that its name is the hash of')
}

/** Whatever it is that cannot be read there, it is not the blob: the rest of the entry is shown without it (I3). */
async function readFile(storage: SessionStorage, path: string): Promise<Uint8Array | undefined> {
  try {
    const file = storage.openReader(path)
    try {
      const { size } = file.statSync()
      if (size > MAX_BYTES) throw damaged(path, `it has ${size} bytes`)
      const bytes = new Uint8Array(size)
      return bytes.subarray(0, await file.read(bytes, 0))
    } finally {
      file.closeSync()
    }
  } catch (error) {
    const code = errnoOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (error instanceof TreelineError) throw error
    throw damaged(path, code === 'ELOOP' ? 'it is a link' : (error as Error).message, error)
  }
}

function damaged(path: string, why: string, cause?: unknown): TreelineError {
  return new TreelineError('damaged', `The blob ${path} is not used: ${why}. It stays as it is.`, {}, { cause })
}
