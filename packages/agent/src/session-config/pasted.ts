import { type ImageBlock, type TextBlock, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import { findImageType } from '../tools/files/image-type.ts'
import type { Prompt } from '../turn/prompt.ts'
import { keepImage, keepText, readKeptImage, readKeptText } from './kept-value.ts'
import { addPasted } from './pasted-map.ts'

const MAX_TYPED_CHARS = 800
const MAX_TYPED_LINE_ENDS = 10
/** Larger ones no provider takes. */
const MAX_IMAGE_BYTES = 20 * 1024 * 1024
const MAX_PROMPT_CHARS = 100_000_000
const LINE_END = /\r\n?|\n/g
const PLACEHOLDER = /\[(Pasted text|Image) (#[1-9]\d{0,8})(?: \+\d{1,9} lines?)?\]/g

/** What stands in the input for text that was pasted: itself when it is short, else `[Pasted text #1 +120 lines]` (N27). */
export async function pasteText(session: Session, text: string): Promise<string> {
  if (!isLongPaste(text)) return text
  const number = await addPasted(session, 'pastedTextMap', await keepText(session, text))
  return textPlaceholder(`#${number}`, text)
}

/** Those that a placeholder can name: other tools may have left anything there. */
export function pastedIds(map: Readonly<Record<string, string>>): (readonly [id: string, kept: string])[] {
  return Object.entries(map).filter(([id]) => /^#[1-9]\d{0,8}$/.test(id))
}

/** Too long to be edited where it stands. */
export function isLongPaste(text: string): boolean {
  return text.length > MAX_TYPED_CHARS || lineEnds(text) > MAX_TYPED_LINE_ENDS
}

/** `id` as the settings of the session have it: `#1`. */
export function textPlaceholder(id: string, text: string): string {
  const more = lineEnds(text)
  return `[Pasted text ${id}${more === 0 ? '' : ` +${more} ${more === 1 ? 'line' : 'lines'}`}]`
}

function lineEnds(text: string): number {
  return text.match(LINE_END)?.length ?? 0
}

/** What stands in the input for an image that was pasted: `[Image #2]`. */
export async function pasteImage(session: Session, bytes: Uint8Array): Promise<string> {
  if (bytes.length > MAX_IMAGE_BYTES) {
    throw new TreelineError('payload_too_large', 'The image is larger than 20 MiB. Paste a smaller one.')
  }
  const mimeType = findImageType(bytes)
  if (mimeType === undefined) {
    throw new TreelineError('unsupported_media_type', 'What was pasted is no PNG, JPEG, GIF or WebP image.')
  }
  const value = await keepImage(session, bytes, mimeType)
  // The same one again, such as one that was taken back into the input, keeps its number.
  const known = pastedIds(session.config.pastedImageMap).find(([, kept]) => kept === value)?.[0]
  return `[Image ${known ?? `#${await addPasted(session, 'pastedImageMap', value)}`}]`
}

/**
 * What was typed with everything pasted back in its place, to the character. Placeholders nobody knows stay as typed, and
 * so do those within pasted text. Throws `damaged` when something pasted is no longer stored.
 */
export async function expandPasted(session: Session, typed: string): Promise<Prompt> {
  const { pastedTextMap, pastedImageMap } = session.config
  const blocks: (TextBlock | ImageBlock)[] = []
  const read = new Map<string, TextBlock | ImageBlock | undefined>()
  let text = ''
  let from = 0
  let sizeChars = typed.length
  for (const { 0: placeholder, 1: word, 2: id, index } of typed.matchAll(PLACEHOLDER)) {
    const map = word === 'Image' ? pastedImageMap : pastedTextMap
    const kept = Object.hasOwn(map, id!) ? map[id!] : undefined
    if (kept === undefined) continue
    if (!read.has(placeholder)) read.set(placeholder, await readBlock(session, word === 'Image', kept))
    const block = read.get(placeholder)
    if (block === undefined) continue
    sizeChars += block.type === 'text' ? block.text.length : block.data.length
    if (sizeChars > MAX_PROMPT_CHARS) throw tooLarge()
    text += typed.slice(from, index)
    from = index + placeholder.length
    if (block.type === 'text') text += block.text
    else {
      if (text !== '') blocks.push({ type: 'text', text })
      blocks.push(block)
      text = ''
    }
  }
  text += typed.slice(from)
  if (blocks.length === 0) return text
  return text === '' ? blocks : [...blocks, { type: 'text', text }]
}

async function readBlock(
  session: Session,
  isImage: boolean,
  kept: string,
): Promise<TextBlock | ImageBlock | undefined> {
  if (!isImage) return { type: 'text', text: await readKeptText(session, kept) }
  const image = await readKeptImage(session, kept)
  return image && { type: 'image', ...image }
}

function tooLarge(): TreelineError {
  const message = 'With everything pasted in its place the prompt is too large. Name what was pasted fewer times.'
  return new TreelineError('payload_too_large', message)
}
