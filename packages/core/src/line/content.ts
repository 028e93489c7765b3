import { isObject, isText } from '../context/json.ts'
import type { LineImage, LineText } from './line-message.ts'

const NOT_BLANK = /\S/
const SPACE = 0x20
const DELETE = 0x7f

/** Providers refuse empty and blank texts. */
export function isReadable(text: unknown): text is string {
  if (typeof text !== 'string') return false
  // Nearly all text begins with a plain character, and asking for it costs less than a pattern.
  const first = text.charCodeAt(0)
  return (first > SPACE && first < DELETE) || NOT_BLANK.test(text)
}

export function textPart(text: string): LineText {
  return { type: 'text', text }
}

/** Text and images of a message, whatever shape its content is in. */
export function readParts(content: unknown): (LineText | LineImage)[] {
  if (isReadable(content)) return [textPart(content)]
  if (!Array.isArray(content)) return []
  let parts: (LineText | LineImage)[] = []
  for (const block of content as readonly unknown[]) {
    const part = readPart(block)
    if (part === undefined) continue
    // Nearly always the only one, and an array that grows from nothing makes room for seventeen.
    if (parts.length === 0) parts = [part]
    else parts.push(part)
  }
  return parts
}

function readPart(block: unknown): LineText | LineImage | undefined {
  if (!isObject(block)) return undefined
  if (block.type === 'image') return readImage(block)
  return isReadable(block.text) ? textPart(block.text) : undefined
}

const BLOB_REF = /^blob:sha256:[a-f0-9]{64}$/
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const IMAGE_TYPE = /^image\/[A-Za-z0-9.+-]+$/
/** Enough to tell base64 from a path or prose without reading megabytes twice. */
const LOOK_AT = 4096

/** An image a provider could not take stands as a word, so that the model knows that something was there. */
export function readImage(block: Readonly<Record<string, unknown>>): LineText | LineImage {
  const { data, mimeType } = block
  if (!isText(data) || !isImageData(data)) return textPart('[image missing]')
  if (!isText(mimeType) || !IMAGE_TYPE.test(mimeType)) return textPart('[image of an unknown type]')
  return { type: 'image', data, mimeType }
}

function isImageData(data: string): boolean {
  if (data.startsWith('blob:')) return BLOB_REF.test(data)
  if (data.length <= 2 * LOOK_AT) return BASE64.test(data)
  return BASE64.test(data.slice(0, LOOK_AT)) && BASE64.test(data.slice(-LOOK_AT))
}
