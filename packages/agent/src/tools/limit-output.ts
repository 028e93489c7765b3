import { isUtf8 } from 'node:buffer'
import type { ImageBlock, TextBlock } from '@treeline/core'
import type { BlobRef } from '@treeline/store'
import { hideInBytes, hideInText, hideInValue } from './hide-secrets.ts'
import { endOfHead, joinKept, type KeptBytes, startOfTail } from './kept-bytes.ts'
import type { ToolOutput } from './tool.ts'

export const MAX_MODEL_BYTES = 50 * 1024
export const MAX_MODEL_LINES = 2000
/** What is cut is cut a little shorter, so that a tool can say a word behind it. */
export const ROOM_BYTES = 1024
export const ROOM_LINES = 10

const LINE_FEED = 10
const NUL = 0
const REPLACEMENT = '\ufffd'
/** Text with fewer bad characters than this is still worth reading. */
const MAX_BAD_SHARE = 0.2

export type PutBlob = (bytes: Uint8Array) => Promise<BlobRef>

export interface LimitedText {
  readonly text: string
  /** Less than all, or not as it was. */
  readonly isCut: boolean
  /** Where the whole is, for the `details` of an output. */
  readonly details: { readonly fullOutput?: BlobRef; readonly totalBytes?: number }
}

/**
 * What a model gets of an output: head and tail of what is long, a description of what is not text. The whole goes to a
 * blob, which the text names. A blob that cannot be stored loses the middle, not the output.
 */
export async function limitBytes(kept: KeptBytes, putBlob: PutBlob, secrets: readonly string[]): Promise<LimitedText> {
  const { bytes: all, lostBytes } = joinKept(kept)
  const bytes = hideInBytes(all, secrets)
  const isText = isUtf8(bytes) && !bytes.includes(NUL)
  const shown = isText ? bytes : readable(bytes)
  const isLong = shown.length > MAX_MODEL_BYTES - ROOM_BYTES || countLines(shown) > MAX_MODEL_LINES - ROOM_LINES
  if (isText && !isLong) return { text: shown.toString(), isCut: false, details: {} }
  const { ref, where } = await store(bytes, putBlob)
  const details = { ...(ref !== undefined && { fullOutput: ref }), totalBytes: kept.totalBytes }
  const text = isLong ? cutMiddle(shown, lostBytes, where) : shown.toString()
  if (isText) return { text, isCut: true, details }
  const size = `${count(kept.totalBytes)} bytes`
  if (isMostlyBad(text)) return { text: `[binary output, ${size}; ${where}]`, isCut: true, details }
  const note = `[not all of these ${size} are text: what is not shows as ${REPLACEMENT}; ${where}]`
  return { text: `${text}\n${note}`, isCut: true, details }
}

/** An output as a model may get it: its texts together within the limits, its images as they are. */
export async function limitOutput(
  given: ToolOutput,
  putBlob: PutBlob,
  secrets: readonly string[],
): Promise<ToolOutput> {
  const { details: said, ...rest } = given
  const output: ToolOutput = said === undefined ? rest : { ...rest, details: hideInValue(said, secrets) }
  const content = output.content.map((block) => (block.type === 'text' ? readableText(block, secrets) : block))
  const texts = content.filter((block) => block.type === 'text').map(({ text }) => text)
  const whole = Buffer.from(texts.join('\n'))
  const isFine = whole.length <= MAX_MODEL_BYTES && countLines(whole) <= MAX_MODEL_LINES && !whole.includes(NUL)
  if (isFine) return { ...output, content }
  const { text, details } = await limitBytes(
    { head: whole, tail: whole.subarray(0, 0), totalBytes: whole.length },
    putBlob,
    [],
  )
  const images = content.filter((block): block is ImageBlock => block.type === 'image')
  return { ...output, content: [{ type: 'text', text }, ...images], details: { ...output.details, ...details } }
}

function readableText(block: TextBlock, secrets: readonly string[]): TextBlock {
  return { ...block, text: hideInText(block.text.toWellFormed(), secrets) }
}

async function store(bytes: Uint8Array, putBlob: PutBlob): Promise<{ ref: BlobRef | undefined; where: string }> {
  try {
    const ref = await putBlob(bytes)
    return { ref, where: `all of it is kept: read ${ref}` }
  } catch (error) {
    return { ref: undefined, where: `it could not be kept: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function cutMiddle(bytes: Buffer, lostBytes: number, where: string): string {
  const room = { bytes: (MAX_MODEL_BYTES - ROOM_BYTES) / 2, lines: (MAX_MODEL_LINES - ROOM_LINES) / 2 }
  const headEnd = endOfHead(bytes, room)
  const tailStart = Math.max(headEnd, startOfTail(bytes, room))
  const left = bytes.subarray(headEnd, tailStart)
  const lost = lostBytes === 0 ? '' : ` (${count(lostBytes)} bytes in the middle were too many to keep)`
  const note = `[… ${count(countLines(left))} lines, ${count(left.length + lostBytes)} bytes left out; ${where}${lost}]`
  const head = bytes.toString('utf8', 0, headEnd)
  return `${head}${head.endsWith('\n') ? '' : '\n'}${note}\n${bytes.toString('utf8', tailStart)}`
}

/** As text, whatever it is. A NUL is legal in text and broken by much that handles it. */
function readable(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString().replaceAll('\0', REPLACEMENT))
}

function isMostlyBad(text: string): boolean {
  return text.split(REPLACEMENT).length - 1 > text.length * MAX_BAD_SHARE
}

function countLines(bytes: Uint8Array): number {
  if (bytes.length === 0) return 0
  let lines = bytes.at(-1) === LINE_FEED ? 0 : 1
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === LINE_FEED) lines++
  return lines
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}
