import type { StorageReader } from '../storage/storage.ts'

const CHUNK_BYTES = 64 * 1024
/** A longer last line is not parsed, which would take long, but kept. */
const MAX_TAIL_BYTES = 8 * 1024 * 1024
const LINE_END = 0x0a

/**
 * Where a log of so many bytes ends with a whole line. What a killed writer left of its last line was never acknowledged
 * and is left out; a last record that only lacks its line end is kept, and so is a file without any line end: what it
 * is nobody knows.
 */
export async function findWholeEnd(file: StorageReader, size: number): Promise<number> {
  const end = await findLineEnd(file, size)
  if (end === 0 || end === size || size - end > MAX_TAIL_BYTES) return size
  const tail = Buffer.allocUnsafe(size - end)
  const length = await file.read(tail, end)
  return length === tail.length && isJson(tail) ? size : end
}

/** Behind the last line end; 0 when there is none. */
async function findLineEnd(file: StorageReader, size: number): Promise<number> {
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size))
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - buffer.length)
    const length = await file.read(buffer.subarray(0, end - start), start)
    const at = buffer.subarray(0, length).lastIndexOf(LINE_END)
    if (at >= 0) return start + at + 1
    end = start
  }
  return 0
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString())
    return true
  } catch {
    // Cut short, or garbage: the answer.
    return false
  }
}
