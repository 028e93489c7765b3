import { isUtf8 } from 'node:buffer'

/** Controls that JSON leaves as they are and a terminal may obey, and those that reorder what is read. */
const UNSAFE = /[\u007f-\u009f]|\p{Bidi_Control}|[\u2028\u2029]/gu

/** The same in UTF-8, and line ends: bytes, each taken for a character. */
const UNSAFE_BYTES = /[^\x20-\x7e\x80-\xff]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2(?:\x80[\x8e\x8f\xa8-\xae]|\x81[\xa6-\xa9])/
const LINE_END = 10

/** JSON that says the same and drives no terminal (K4): what could is written as an asEscape. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, asEscape)
}

/** The same as bytes, and a line end. */
export function jsonLine(value: unknown): Buffer {
  return Buffer.from(`${safeJson(value)}\n`)
}

/** Whether `jsonLine` may have made it, as far as terminals are concerned. */
export function isJsonLine(line: Uint8Array): boolean {
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength)
  const end = bytes.length - 1
  return bytes[end] === LINE_END && isUtf8(bytes) && !UNSAFE_BYTES.test(bytes.toString('latin1', 0, end))
}

function asEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
