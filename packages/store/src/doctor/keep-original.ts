import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import type { SessionStorage, StorageReader } from '../storage/storage.ts'
import { writeAll } from '../storage/write-all.ts'

const CHUNK_BYTES = 512 * 1024

/**
 * Copies a file beside itself as `<file>.damaged`, durably, and returns where. No reader takes that name for a session. An
 * earlier attempt may have kept it already.
 */
export async function keepOriginal(
  storage: SessionStorage,
  path: string,
  file: StorageReader,
  size: number,
): Promise<string> {
  let free = `${path}.damaged`
  for (let n = 2; storage.existsSync(free); n++) {
    if (await holdsSame(storage, free, file, size)) {
      await storage.syncDir(dirname(free))
      return free
    }
    free = `${path}.damaged.${n}`
  }
  await writeBeside(storage, free, chunksOf(file, size))
  return free
}

/** Under another name until it is whole and synced: whoever looks sees all of it or nothing. */
export async function writeBeside(storage: SessionStorage, path: string, pieces: Pieces): Promise<void> {
  const temp = await writeTemp(storage, path, pieces)
  try {
    await storage.rename(temp, path)
  } catch (error) {
    await discardTemp(storage, temp)
    throw error
  }
}

/** Each has to stay as it is until the next few were asked for: short ones are written together. */
type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** A new file beside `path`, whole and synced, whose name says that it is not finished. */
export async function writeTemp(storage: SessionStorage, path: string, pieces: Pieces): Promise<string> {
  const temp = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const file = storage.openWriter(temp, { flags: 'wx' })
    try {
      let waiting: Uint8Array[] = []
      let waitingBytes = 0
      for await (const piece of pieces) {
        waiting.push(piece)
        waitingBytes += piece.length
        if (waitingBytes < CHUNK_BYTES) continue
        writeAll(file, Buffer.concat(waiting))
        waiting = []
        waitingBytes = 0
      }
      writeAll(file, Buffer.concat(waiting))
      await file.datasync()
    } finally {
      file.closeSync()
    }
    return temp
  } catch (error) {
    await discardTemp(storage, temp)
    throw error
  }
}

/** What failed first is what the caller hears; a temp file that cannot be removed either does no harm. */
export async function discardTemp(storage: SessionStorage, temp: string): Promise<void> {
  await storage.unlink(temp).catch(() => {})
}

async function holdsSame(
  storage: SessionStorage,
  path: string,
  original: StorageReader,
  size: number,
): Promise<boolean> {
  const other = storage.openReader(path)
  try {
    if (other.statSync().size !== size) return false
    let position = 0
    const found = Buffer.alloc(Math.min(CHUNK_BYTES, size))
    for await (const chunk of chunksOf(original, size)) {
      const length = await other.read(found.subarray(0, chunk.length), position)
      if (!found.subarray(0, length).equals(chunk)) return false
      position += length
    }
    return true
  } finally {
    other.closeSync()
  }
}

/** The first `size` bytes. */
async function* chunksOf(file: StorageReader, size: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < size; ) {
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, size - position))
    const length = await file.read(chunk, position)
    if (length === 0) return
    yield chunk.subarray(0, length)
    position += length
  }
}
