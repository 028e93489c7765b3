/** The byte order mark of UTF-16, little-endian. No UTF-8 begins with it. */
const UTF16_MARK = Buffer.of(0xff, 0xfe)

/** Text as bytes, without loss: UTF-8, or marked UTF-16 where lone surrogates, which UTF-8 has no form for, are in it. */
export function encodeText(text: string): Uint8Array {
  return text.isWellFormed() ? Buffer.from(text) : Buffer.concat([UTF16_MARK, Buffer.from(text, 'utf16le')])
}

export function decodeText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const isUtf16 = buffer.subarray(0, UTF16_MARK.length).equals(UTF16_MARK)
  return isUtf16 ? buffer.toString('utf16le', UTF16_MARK.length) : buffer.toString()
}
