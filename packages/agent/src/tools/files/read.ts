import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { TreelineError } from '@treeline/core'
import { isBlobRef } from '@treeline/store'
import { z } from 'zod'
import { MAX_MODEL_BYTES, MAX_MODEL_LINES, ROOM_BYTES, ROOM_LINES } from '../limit-output.ts'
import { keepsBlob } from '../session/keeps-blob.ts'
import type { Tool, ToolContext, ToolOutput } from '../tool.ts'
import { fileError } from './file-error.ts'
import { findImageType, SIGNATURE_BYTES } from './image-type.ts'
import { resolvePath, showPath } from './paths.ts'
import { type LinesRead, readLines } from './read-lines.ts'

const MAX_LINES = MAX_MODEL_LINES - ROOM_LINES
const MAX_BYTES = MAX_MODEL_BYTES - ROOM_BYTES
const MAX_IMAGE_BYTES = 5 * 1024 * 1024
const CHUNK_BYTES = 64 * 1024

const input = z.strictObject({
  path: z.string().min(1).max(8192).describe('A file, relative to the project, or a blob:sha256:… reference'),
  offset: z.int().min(1).max(2_000_000_000).optional().describe('The first line to read, 1 by default'),
  limit: z.int().min(1).max(1_000_000).optional().describe('How many lines'),
})
type Input = z.infer<typeof input>

export const readTool: Tool<Input> = {
  name: 'read',
  description: `Read a text file or an image (png, jpeg, gif, webp). Gives at most ${MAX_LINES} lines or 49 KB; use offset and limit for more. Also reads the blob:sha256:… references that stand for long outputs of this conversation.`,
  input,
  effect: 'read',
  isRepeatable: true,
  preview: ({ path }, { cwd }) => ({ title: `read ${isBlobRef(path) ? path : showPath(cwd, resolvePath(cwd, path))}` }),
  run: (given, context) => (isBlobRef(given.path) ? readBlob(given, context) : readFile(given, context)),
}

/** Something with bytes, wherever they are. */
interface Source {
  readonly shown: string
  readonly sizeBytes: number
  readonly start: Uint8Array
  readonly chunks: AsyncIterable<Uint8Array>
  readonly all: () => Promise<Uint8Array>
}

async function readBlob(given: Input, { session, tipId, signal }: ToolContext): Promise<ToolOutput> {
  const ref = given.path
  const bytes =
    isBlobRef(ref) && (await keepsBlob(session, tipId, ref, signal)) ? await session.readBlob(ref) : undefined
  if (bytes === undefined) throw new TreelineError('bad_request', `This conversation keeps nothing as ${ref}.`)
  const all = async () => bytes
  async function* chunks() {
    yield bytes!
  }
  return readSource({ shown: ref, sizeBytes: bytes.length, start: bytes, chunks: chunks(), all }, given)
}

export async function readFile(
  given: Input,
  { cwd, signal }: Pick<ToolContext, 'cwd' | 'signal'>,
): Promise<ToolOutput> {
  const path = resolvePath(cwd, given.path)
  const shown = showPath(cwd, path)
  try {
    // Without O_NONBLOCK a pipe nobody writes to would hold us here.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = await file.stat()
    if (stat.isDirectory()) throw new TreelineError('bad_request', `${shown} is a folder. Use ls.`)
    if (!stat.isFile()) throw new TreelineError('bad_request', `${shown} is no regular file and cannot be read.`)
    const start = await readStart(file)
    const all = () => readAll(file, stat.size)
    const output = await readSource({ shown, sizeBytes: stat.size, start, chunks: chunksOf(file, signal), all }, given)
    return { ...output, details: { path, ...output.details } }
  } catch (error) {
    signal.throwIfAborted()
    throw fileError(error, shown)
  }
}

async function readStart(file: FileHandle): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(SIGNATURE_BYTES), 0, SIGNATURE_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}

/** No more than the size it had: it may be growing. */
async function readAll(file: FileHandle, sizeBytes: number): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(sizeBytes), 0, sizeBytes, 0)
  return buffer.subarray(0, bytesRead)
}

async function* chunksOf(file: FileHandle, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.alloc(CHUNK_BYTES)
  for (let position = 0; ; ) {
    signal.throwIfAborted()
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function readSource(source: Source, { offset = 1, limit = MAX_LINES }: Input): Promise<ToolOutput> {
  const { shown, sizeBytes } = source
  const mimeType = findImageType(source.start)
  if (mimeType !== undefined) return readImage(source, mimeType)
  const read = await readLines(source.chunks, { offset, limit: Math.min(limit, MAX_LINES), maxBytes: MAX_BYTES })
  if (read === undefined) {
    const message = `${shown} is binary (${sizeBytes} bytes), not text. Look at it with bash: file, xxd, strings.`
    throw new TreelineError('bad_request', message)
  }
  if (read.lineCount === 0 && offset > 1) {
    throw new TreelineError('bad_request', `${shown} has ${read.totalLines ?? 0} lines: none at offset ${offset}.`)
  }
  const note = describe(read, offset)
  const text = read.lineCount === 0 ? '[an empty file]' : note === '' ? read.text : `${read.text}\n[${note}]`
  const details = { sizeBytes, startLine: offset, lineCount: read.lineCount, isCut: read.nextLine !== undefined }
  return { content: [{ type: 'text', text }], details }
}

function describe(read: LinesRead, offset: number): string {
  const notes: string[] = []
  if (read.isLineCut)
    notes.push(`line ${offset} is longer than ${MAX_BYTES} bytes; use bash (cut, head -c) for the rest`)
  else if (read.nextLine !== undefined) {
    notes.push(`lines ${offset} to ${read.nextLine - 1}; there is more: offset ${read.nextLine}`)
  }
  if (!read.isUtf8) notes.push('not all of it is UTF-8; what is not shows as \ufffd, and edit cannot change this file')
  if (read.hasCrlf) notes.push('line ends are CRLF; edit keeps them')
  return notes.join('; ')
}

async function readImage(source: Source, mimeType: string): Promise<ToolOutput> {
  const { shown, sizeBytes } = source
  if (sizeBytes > MAX_IMAGE_BYTES) {
    const message = `${shown} is an image of ${sizeBytes} bytes; the most is ${MAX_IMAGE_BYTES}. Make it smaller first.`
    throw new TreelineError('payload_too_large', message)
  }
  const data = Buffer.from(await source.all()).toString('base64')
  const text = `[${shown}: ${mimeType}, ${sizeBytes} bytes]`
  return {
    content: [
      { type: 'text', text },
      { type: 'image', data, mimeType },
    ],
    details: { sizeBytes, mimeType },
  }
}
