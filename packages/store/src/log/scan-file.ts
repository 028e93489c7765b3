import type { StorageReader } from '../storage/storage.ts'
import type { LogReader } from './log-reader.ts'

const CHUNKS_PER_TURN = 8

/**
 * Reads a log from where the reader stands to the end the file has now. After every few chunks others get their turn, so
 * that neither a long log nor a line of 100 MB freezes anything. A read costs less than a hop to another thread.
 */
export async function scanFile(file: StorageReader, reader: LogReader, end = file.statSync().size): Promise<void> {
  const chunk = reader.room(end - reader.size)
  for (let chunks = 1; reader.size < end; chunks++) {
    const length = file.readSync(chunk, reader.size)
    if (length === 0) break
    reader.push(chunk.subarray(0, length))
    if (chunks % CHUNKS_PER_TURN === 0) await new Promise(setImmediate)
  }
  finish(file, reader)
}

/** The same at once: for the few lines others appended, read under the lock. */
export function scanFileSync(file: StorageReader, reader: LogReader, end: number): void {
  const chunk = reader.room(end - reader.size)
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
