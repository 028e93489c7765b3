import { encodeHeader, isSafeId, type SessionHeader } from '@treeline/core'
import type { StorageReader } from '../storage/storage.ts'

const MAX_HEAD_BYTES = 1024 * 1024
const LINE_END = 0x0a
/** A title may stand before the header. */
const MAX_LINES = 3

/**
 * The beginning of a log up to its header, with another id in it and the old one as its parent. `undefined` when no
 * header can be read: then the log is known by the name of its file alone.
 */
export async function renameSession(
  file: StorageReader,
  newId: (id: string) => string,
): Promise<{ readonly of: number; readonly bytes: Uint8Array } | undefined> {
  const head = Buffer.alloc(Math.min(MAX_HEAD_BYTES, file.statSync().size))
  await file.read(head, 0)
  for (let line = 1, start = 0; line <= MAX_LINES; line++) {
    const end = head.indexOf(LINE_END, start)
    if (end < 0) return undefined
    const header = parseHeader(head.toString('utf8', start, end))
    if (header !== undefined) {
      const renamed = encodeHeader({ ...header, id: newId(header.id), parentSession: header.id })
      return { of: end + 1, bytes: Buffer.concat([head.subarray(0, start), renamed]) }
    }
    start = end + 1
  }
  return undefined
}

function parseHeader(line: string): SessionHeader | undefined {
  try {
    const { crc: _crc, ...value } = JSON.parse(line) as Record<string, unknown>
    return value.type === 'session' && isSafeId(value.id) ? (value as unknown as SessionHeader) : undefined
  } catch {
    // Not JSON: no header.
    return undefined
  }
}
