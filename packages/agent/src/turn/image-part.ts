import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from '@ai-sdk/provider'
import type { LineImage } from '@treeline/core'
import type { Model } from '../models/model.ts'
import type { Wire } from './wire.ts'

/** Bytes of a `blob:sha256:…` reference; `undefined` when there are none. */
export type ReadImage = (ref: string) => Promise<Uint8Array | undefined>

const TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp']
const TYPES_BY_WIRE: Readonly<Record<Wire, readonly string[]>> = {
  openai: [...TYPES, 'image/gif'],
  anthropic: [...TYPES, 'image/gif'],
  google: [...TYPES, 'image/heic', 'image/heif'],
  chat: [...TYPES, 'image/gif'],
}
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** An image as a model takes it, or words in its place: one image that cannot be sent must not stop a conversation. */
export async function readImagePart(
  { data, mimeType }: LineImage,
  { ref, info }: Model,
  wire: Wire,
  readImage: ReadImage,
): Promise<LanguageModelV4FilePart | LanguageModelV4TextPart> {
  if (!info.images) return leftOut(`${ref} cannot see images`)
  const mediaType = mimeType.toLowerCase()
  if (!TYPES_BY_WIRE[wire].includes(mediaType)) return leftOut(`${ref} does not take images of its type`)
  if (!data.startsWith('blob:')) {
    return BASE64.test(data) ? filePart(data, mediaType) : leftOut('its data cannot be read')
  }
  try {
    const bytes = await readImage(data)
    return bytes === undefined ? leftOut('its file is missing') : filePart(bytes, mediaType)
  } catch {
    // Told to the model; doctor tells the user which blob it is.
    return leftOut('its file cannot be read')
  }
}

function filePart(data: string | Uint8Array, mediaType: string): LanguageModelV4FilePart {
  return { type: 'file', data: { type: 'data', data }, mediaType }
}

function leftOut(reason: string): LanguageModelV4TextPart {
  return { type: 'text', text: `[An image was here. It is left out: ${reason}.]` }
}
