import type { StorageReader } from '../storage/storage.ts'
import type { LogReader } from './log-reader.ts'

const CHUNK_BYTES = 512 * 1024

/**
 * Reads a log from where the reader stands to the end the file has now. The next chunk is fetched while one is scanned,
 * and between chunks others get their turn: a line of 100 MB freezes nothing.
 */
export async function scanFile(file: StorageReader, reader: LogReader, end = file.statSync().size): Promise<void> {
  if (reader.size === end) return finish(file, reader)
  let position = reader.size
  let current = new Uint8Array(Math.min(CHUNK_BYTES, end - position))
  let next = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(0, end - position - current.length)))
  let pending = file.read(current, position)
  while (position < end) {
    const length = await pending
    if (length === 0) break
    position += length
    pending = position < end ? file.read(next, position) : Promise.resolve(0)
    reader.push(current.subarray(0, length))
    ;[current, next] = [next, current]
  }
  await pending
  finish(file, reader)
}

/** The same at once: for the few lines others appended, read under the lock. */
export function scanFileSync(file: StorageReader, reader: LogReader, end: number): void {
  const chunk = new Uint8Array(Math.max(1, Math.min(CHUNK_BYTES, end - reader.size)))
  while (reader.size < end) {
    const length = file.readSync(chunk.subarray(0, Math.min(chunk.length, end - reader.size)), reader.size)
    if (length === 0) break
    reader.push(chunk.subarray(0, length))
  }
  finish(file, reader)
}

function finish(file: StorageReader, reader: LogReader): void {
  reader.settleTail((offset, length) => {
    const bytes = new Uint8Array(length)
    return bytes.subarray(0, file.readSync(bytes, offset))
  })
  reader.sync()
}
