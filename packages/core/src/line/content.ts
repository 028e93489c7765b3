import { isObject, isText } from '../context/json.ts'
import type { LineImage, LineText } from './line-message.ts'

const NOT_BLANK = /\S/

/** Providers refuse empty and blank texts. */
export function isReadable(text: unknown): text is string {
  return typeof text === 'string' && NOT_BLANK.test(text)
}

export function textPart(text: string): LineText {
  return { type: 'text', text }
}

/** Text and images of a message, whatever shape its content is in. */
export function readParts(content: unknown): (LineText | LineImage)[] {
  if (isReadable(content)) return [textPart(content)]
  if (!Array.isArray(content)) return []
  const parts: (LineText | LineImage)[] = []
  for (const block of content as readonly unknown[]) {
    if (!isObject(block)) continue
    if (block.type === 'image') parts.push(readImage(block))
    else if (isReadable(block.text)) parts.push(textPart(block.text))
  }
  return parts
}

/** An image a provider could not take stands as a word, so that the model knows that something was there. */
export function readImage(block: Readonly<Record<string, unknown>>): LineText | LineImage {
  const { data, mimeType } = block
  if (!isText(data)) return textPart('[image missing]')
  if (!isText(mimeType) || !mimeType.startsWith('image/')) return textPart('[image of an unknown type]')
  return { type: 'image', data, mimeType }
}
