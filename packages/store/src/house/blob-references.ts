import { join } from 'node:path'
import { hashOf } from '../blobs/blob-ref.ts'
import { findByteRefs, MAX_REFERENCE_BYTES } from '../blobs/find-refs.ts'
import type { LogFiles } from '../log-files.ts'
import { errnoOf } from '../storage-error.ts'
import { listInPlaceLogs } from './in-place-logs.ts'

const CHUNK_BYTES = 512 * 1024
const CHUNKS_PER_TURN = 8

/**
 * The hashes of the blobs a file refers to, each once, found in its raw bytes: also in lines that are damaged, muted or
 * deleted, since nothing that may still be wanted counts as unused. A file that is gone refers to nothing.
 */
export async function* findBlobReferences(
  { storage }: Pick<LogFiles, 'storage'>,
  path: string,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const file = openUnlessGone(storage, path)
  if (file === undefined) return
  const found = new Set<string>()
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    let kept = 0
    for (let position = 0, chunks = 1; ; chunks++) {
      signal?.throwIfAborted()
      const read = file.readSync(buffer.subarray(kept), position)
      if (read === 0) return
      position += read
      const filled = buffer.subarray(0, kept + read)
      for (const { ref } of findByteRefs(filled)) {
        const hash = hashOf(ref)
        if (found.has(hash)) continue
        found.add(hash)
        yield hash
      }
      // A reference may go on in the next chunk.
      kept = Math.min(filled.length, MAX_REFERENCE_BYTES - 1)
      buffer.copyWithin(0, filled.length - kept, filled.length)
      if (chunks % CHUNKS_PER_TURN === 0) await new Promise(setImmediate)
    }
  } finally {
    file.closeSync()
  }
}

/**
 * Every file that may refer to a blob: logs, answers under way, the same in the trash, and logs of other tools that were
 * continued in place. A folder that cannot be read is an error: whoever removes blobs must not take what is in it for unused.
 */
export function* listReferring(home: LogFiles): Generator<string> {
  const { storage, paths } = home
  yield* listReferencingLogs(home)
  yield* filesBelow(storage, join(paths.home, 'partial'))
  for (const item of storage.listDirsSync(paths.trash)) yield* filesBelow(storage, join(paths.trash, item, 'partial'))
  yield* listInPlaceLogs(home)
}

/** All logs, what lies beside them (originals of migrations and repairs, logs still being written) and the same in the trash. */
export function* listReferencingLogs({ storage, paths }: LogFiles): Generator<string> {
  yield* filesBelow(storage, paths.sessions)
  for (const item of storage.listDirsSync(paths.trash)) yield* filesBelow(storage, join(paths.trash, item, 'sessions'))
}

function* filesBelow(storage: LogFiles['storage'], dir: string): Generator<string> {
  for (const folder of storage.listDirsSync(dir)) yield* storage.listFilesSync(join(dir, folder), '*')
}

function openUnlessGone(storage: LogFiles['storage'], path: string) {
  try {
    return storage.openReader(path)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}
