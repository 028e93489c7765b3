import { TreelineError } from '@treeline/core'
import { type BlobRef, isBlobRef, type Session } from '@treeline/store'

/** Settings of a session are read and written as a whole: what is longer than this goes into a blob. */
const MAX_INLINE_CHARS = 1024
const UTF16_MARK = Buffer.of(0xff, 0xfe)
const DATA_URL = /^data:(image\/[\w.+-]{1,64})(?:;base64,|,(?=blob:))/

export interface KeptImage {
  readonly mimeType: string
  /** Base64. */
  readonly data: string
}

/** Text as a session's settings keep it: itself, or the name of a blob. Text that looks like such a name becomes one too. */
export async function keepText(session: Session, text: string): Promise<string> {
  return text.length <= MAX_INLINE_CHARS && !isBlobRef(text) ? text : session.putBlob(encode(text))
}

export async function readKeptText(session: Session, kept: string): Promise<string> {
  return isBlobRef(kept) ? decode(await readBytes(session, kept)) : kept
}

/** An image as a data URL, or, when it is large, with the name of its blob: the same one the message will name. */
export async function keepImage(session: Session, bytes: Uint8Array, mimeType: string): Promise<string> {
  const data = Buffer.from(bytes).toString('base64')
  return data.length <= MAX_INLINE_CHARS
    ? `data:${mimeType};base64,${data}`
    : `data:${mimeType},${await session.putBlob(bytes)}`
}

/** `undefined` for what is no image of ours. */
export async function readKeptImage(session: Session, kept: string): Promise<KeptImage | undefined> {
  const match = DATA_URL.exec(kept)
  if (match === null) return undefined
  const rest = kept.slice(match[0].length)
  if (!isBlobRef(rest)) return { mimeType: match[1]!, data: rest }
  return { mimeType: match[1]!, data: Buffer.from(await readBytes(session, rest)).toString('base64') }
}

async function readBytes(session: Session, ref: BlobRef): Promise<Uint8Array> {
  const bytes = await session.readBlob(ref)
  if (bytes !== undefined) return bytes
  throw new TreelineError('damaged', `What was pasted is no longer stored (${ref}). Paste it again.`)
}

/** UTF-8, or marked UTF-16 where half a character is in it, which UTF-8 has no form for. */
function encode(text: string): Uint8Array {
  return text.isWellFormed() ? Buffer.from(text) : Buffer.concat([UTF16_MARK, Buffer.from(text, 'utf16le')])
}

function decode(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes)
  const isUtf16 = buffer.subarray(0, 2).equals(UTF16_MARK)
  return isUtf16 ? buffer.toString('utf16le', 2) : buffer.toString()
}
