import { isUtf8 } from 'node:buffer'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { TreelineError } from '@treeline/core'

const MAX_BYTES = 16 * 1024 * 1024
const BOM = '\ufeff'

/** A file that can be changed as text: nothing is lost on the way to a string and back. */
export interface TextFile {
  /** Without a byte order mark. */
  readonly text: string
  /** What stood before the text: a byte order mark or nothing. */
  readonly bom: string
  readonly stat: Stats
}

/** Throws for what is no text, and errors of the file system as they are. */
export async function readTextFile(path: string, shown: string): Promise<TextFile> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const stat = await file.stat()
  if (!stat.isFile()) throw new TreelineError('bad_request', `${shown} is no regular file.`)
  const bytes = await readUpTo(file, MAX_BYTES + 1, stat.size)
  if (bytes.length > MAX_BYTES) {
    throw new TreelineError('payload_too_large', `${shown} has more than the ${MAX_BYTES} bytes that fit.`)
  }
  if (!isUtf8(bytes) || bytes.includes(0)) {
    throw new TreelineError('bad_request', `${shown} is not UTF-8 text. Change it with a program of its own.`)
  }
  const whole = bytes.toString()
  return whole.startsWith(BOM) ? { text: whole.slice(1), bom: BOM, stat } : { text: whole, bom: '', stat }
}

/** A file of the kernel says it is empty, and may never end. */
async function readUpTo(file: FileHandle, maxBytes: number, expectedBytes: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let length = 0; length < maxBytes; ) {
    const room = Math.min(maxBytes - length, Math.max(expectedBytes - length, 0) + 64 * 1024)
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(room), 0, room, length)
    if (bytesRead === 0) break
    parts.push(buffer.subarray(0, bytesRead))
    length += bytesRead
  }
  return Buffer.concat(parts)
}
