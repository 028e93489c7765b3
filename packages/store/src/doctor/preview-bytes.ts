import type { StorageReader } from '../storage/storage.ts'

const PREVIEW_BYTES = 48
const CHUNK_BYTES = 64 * 1024

/** The first bytes of a range, safe to show anywhere. */
export function previewBytes(file: StorageReader, offset: number, length: number): { hex: string; text: string } {
  const bytes = Buffer.alloc(Math.min(PREVIEW_BYTES, length))
  const found = bytes.subarray(0, file.readSync(bytes, offset))
  const text = found.toString('latin1').replace(/[^\x20-\x5b\x5d-\x7e]/g, escapeByte)
  return { hex: found.toString('hex'), text }
}

function escapeByte(char: string): string {
  return char === '\\' ? '\\\\' : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`
}

/** Reads as far as the first byte that is something else. */
export function isAllNul(file: StorageReader, offset: number, length: number): boolean {
  const chunk = new Uint8Array(Math.min(CHUNK_BYTES, length))
  for (let done = 0; done < length; ) {
    const found = file.readSync(chunk.subarray(0, Math.min(chunk.length, length - done)), offset + done)
    if (found === 0) return false
    for (let i = 0; i < found; i++) if (chunk[i] !== 0) return false
    done += found
  }
  return true
}
