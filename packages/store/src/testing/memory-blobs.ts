import { createHash } from 'node:crypto'
import { type BlobRef, blobRef, type PutBlob, type ReadBlob } from '../blobs/blob-ref.ts'

/** Blobs in a map, for tests that are about what becomes a blob and not about where it lies. */
export function memoryBlobs(): {
  readonly kept: Map<BlobRef, Uint8Array>
  readonly put: PutBlob
  readonly read: ReadBlob
} {
  const kept = new Map<BlobRef, Uint8Array>()
  return {
    kept,
    async put(bytes) {
      const ref = blobRef(createHash('sha256').update(bytes).digest('hex'))
      kept.set(ref, bytes)
      return ref
    },
    read: async (ref) => kept.get(ref),
  }
}
