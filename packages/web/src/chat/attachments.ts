import { toAttachedText } from '@treeline/core'
import type { Part } from '@treeline/protocol'
import { t } from '../words/language.ts'
import { putBlob } from './blobs.ts'

/** Something that goes with the next message. */
export type Attachment =
  | { readonly kind: 'image'; readonly name: string; readonly blob: string; readonly mimeType: string }
  | { readonly kind: 'file'; readonly name: string; readonly text: string }

const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
const MAX_PICTURE_BYTES = 20 * 1024 * 1024
const MAX_TEXT_BYTES = 256 * 1024

/** Throws, with a word for the reader, for what no model could read. */
export async function readAttachment(file: File): Promise<Attachment> {
  const { name } = file
  if (PICTURES.has(file.type)) {
    if (file.size > MAX_PICTURE_BYTES) throw new Error(t('{name} is larger than 20 MB.', { name }))
    return { kind: 'image', name, blob: await putBlob(file), mimeType: file.type }
  }
  if (file.size > MAX_TEXT_BYTES) {
    throw new Error(t('{name} is larger than 256 kB. Paste the part that matters.', { name }))
  }
  const text = decodeText(new Uint8Array(await file.arrayBuffer()))
  if (text === undefined) {
    throw new Error(t('{name} is neither a text nor a PNG, JPEG, GIF or WebP picture.', { name }))
  }
  return { kind: 'file', name, text }
}

/** `undefined` for bytes that are no text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    // Its bytes are no UTF-8: that is what was asked.
    return undefined
  }
}

/** What was said, then what goes with it. A file is told from what was said by standing behind it. */
export function toContent(text: string, attachments: readonly Attachment[]): string | Part[] {
  if (attachments.length === 0) return text
  const files = attachments.filter((one) => one.kind === 'file')
  const said = text.trim() === '' ? files.map(({ name }) => name).join(', ') : text
  return [...(said === '' ? [] : [{ type: 'text' as const, text: said }]), ...attachments.map(toPart)]
}

function toPart(attachment: Attachment): Part {
  if (attachment.kind === 'image') {
    return { type: 'image', blob: attachment.blob, mimeType: attachment.mimeType }
  }
  const { name, text } = attachment
  const count = text.replace(/\n$/, '').split('\n').length
  return { type: 'text', text: toAttachedText({ path: name, count, isCut: false }, text) }
}
