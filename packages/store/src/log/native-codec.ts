import { crc32 } from 'node:zlib'
import type { DecodeUtf8 } from '@treeline/core'

interface NodeBuffer {
  utf8Slice(this: Uint8Array, start: number, end: number): string
}

const { utf8Slice } = Buffer.prototype as unknown as NodeBuffer

/** What Node does faster than core can: no view of the bytes is made, and nothing asks what encoding is meant. */
const decodeUtf8: DecodeUtf8 = (bytes, start, end) => utf8Slice.call(bytes, start, end)

/** For `parseRecord`. */
export const nativeCodec = { crc32, decodeUtf8 } as const
