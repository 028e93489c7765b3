import { isUtf8 } from 'node:buffer'
import { decodeText, encodeText } from '../../blobs/full-text.ts'
import type { SecretPattern } from './secret-pattern.ts'

/** A blob without the secret; nothing when it is not in there. Text may change its length, anything else does not. */
export function scrubBlob(bytes: Buffer, pattern: SecretPattern): Uint8Array | undefined {
  const text = textOfBlob(bytes)
  if (text !== undefined) return pattern.isIn(text) ? encodeText(pattern.replaceIn(text)) : undefined
  const latin1 = bytes.toString('latin1')
  return pattern.isInBytes(latin1) ? Buffer.from(pattern.starOut(latin1), 'latin1') : undefined
}

export function textOfBlob(bytes: Buffer): string | undefined {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe && bytes.length % 2 === 0
  return isUtf16 || isUtf8(bytes) ? decodeText(bytes) : undefined
}
