import type { SessionStorageWriter } from '../storage/storage.ts'

/** The system takes no more at a time. */
const MAX_WRITE_BYTES = 1024 * 1024 * 1024

/** One write for the whole batch. What comes out short is taken back: the file ends where it did. */
export function writeWhole(file: SessionStorageWriter, bytes: Uint8Array, base: number): void {
  let written = 0
  try {
    written = file.writeSync(bytes.length <= MAX_WRITE_BYTES ? bytes : bytes.subarray(0, MAX_WRITE_BYTES))
    // The rest of a short write either goes through or says what the matter is.
    while (written < bytes.length) {
      const more = file.writeSync(bytes.subarray(written, written + MAX_WRITE_BYTES))
      if (more === 0) throw Object.assign(new Error('The file takes no more bytes'), { code: 'ENOSPC' })
      written += more
    }
  } catch (error) {
    if (written > 0) takeBack(file, base, written)
    throw error
  }
}

/** Unless a program that knows no lock appended in between: then a torn line is left, and nothing of theirs is cut. */
function takeBack(file: SessionStorageWriter, base: number, written: number): void {
  try {
    if (file.statSync().size === base + written) file.truncateSync(base)
  } catch {
    // A torn line is left, which every reader knows. What failed first is what the caller hears.
  }
}
