import { createHash, type Hash } from 'node:crypto'
import type { SessionStorage, StorageReader } from '../storage/storage.ts'
import { writeAll } from '../storage/write-all.ts'
import { errnoOf } from '../storage-error.ts'

const CHUNK_BYTES = 512 * 1024

export interface CopiedBytes {
  readonly size: number
  readonly sha256: string
}

/** What went wrong with the file that is read, as against the one that is written. */
export class UnreadSource extends Error {
  override readonly name = 'UnreadSource'
  /** Node's, so that whoever reports it can say what the matter is. */
  readonly code: string | undefined

  constructor(path: string, cause: unknown) {
    super(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.code = errnoOf(cause)
  }
}

export interface CopyOptions {
  readonly signal?: AbortSignal | undefined
  /** Bytes to begin with, in place of as many of the source's: a header that was changed. */
  readonly instead?: { readonly of: number; readonly bytes: Uint8Array } | undefined
  readonly onBytes?: ((bytes: number) => void) | undefined
}

/** The first `end` bytes of an open file into a new one, which is durable when this resolves; its name is not yet. */
export async function copyBytes(
  storage: SessionStorage,
  source: { readonly file: StorageReader; readonly path: string; readonly end: number },
  to: string,
  { signal, instead, onBytes }: CopyOptions = {},
): Promise<CopiedBytes> {
  const hash = createHash('sha256')
  const target = storage.openWriter(to, { flags: 'wx' })
  let size = 0
  const add = (bytes: Uint8Array): void => {
    writeAll(target, bytes)
    hash.update(bytes)
    size += bytes.length
    onBytes?.(bytes.length)
  }
  try {
    if (instead !== undefined) add(instead.bytes)
    for await (const bytes of readChunks(source, instead?.of ?? 0, signal)) add(bytes)
    await target.datasync()
  } finally {
    target.closeSync()
  }
  return { size, sha256: hash.digest('hex') }
}

/** The checksum of a whole file, read in pieces. */
export async function hashFile(storage: SessionStorage, path: string, signal?: AbortSignal): Promise<CopiedBytes> {
  return hashPrefix(storage, path, Number.POSITIVE_INFINITY, signal)
}

/** The checksum of a file's first bytes, or of all it has when it is shorter. */
export async function hashPrefix(
  storage: SessionStorage,
  path: string,
  bytes: number,
  signal?: AbortSignal,
): Promise<CopiedBytes> {
  const file = openSource(storage, path)
  try {
    const end = Math.min(file.statSync().size, bytes)
    const hash: Hash = createHash('sha256')
    let size = 0
    for await (const chunk of readChunks({ file, path, end }, 0, signal)) {
      hash.update(chunk)
      size += chunk.length
    }
    return { size, sha256: hash.digest('hex') }
  } finally {
    file.closeSync()
  }
}

export function openSource(storage: SessionStorage, path: string): StorageReader {
  try {
    return storage.openReader(path)
  } catch (error) {
    throw new UnreadSource(path, error)
  }
}

/** Each chunk is good until the next. A file that ends before `end` was cut meanwhile. */
async function* readChunks(
  { file, path, end }: { readonly file: StorageReader; readonly path: string; readonly end: number },
  start: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(Math.max(1, Math.min(CHUNK_BYTES, end - start)))
  for (let position = start; position < end; ) {
    signal?.throwIfAborted()
    const wanted = buffer.subarray(0, Math.min(buffer.length, end - position))
    let length: number
    try {
      length = await file.read(wanted, position)
    } catch (error) {
      throw new UnreadSource(path, error)
    }
    if (length === 0) throw new UnreadSource(path, new Error(`it ends at byte ${position} instead of ${end}`))
    yield wanted.subarray(0, length)
    position += length
  }
}
