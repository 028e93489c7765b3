import type { SessionStorage, StorageReader } from '../../storage/storage.ts'
import { type ScrubbedLine, scrubLine } from './scrub-line.ts'
import type { TextEdit } from './text-edit.ts'

const CHUNK_BYTES = 512 * 1024
/** As core's: a longer line is never parsed, and here only passed on. */
const MAX_LINE_BYTES = 256 * 1024 * 1024
/** Looked through at once, for text over several lines. */
export const MAX_ACROSS_BYTES = 16 * 1024 * 1024
const LINE_END = 0x0a

export interface StreamedLine {
  readonly number: number
  readonly bytes: Uint8Array
  /** Set when the line changes, or should and cannot. */
  readonly scrubbed: ScrubbedLine | undefined
  readonly isTooLong: boolean
}

/** The lines of a file in order, scrubbed. */
export async function* scrubStream(
  file: StorageReader,
  end: number,
  edit: TextEdit,
  signal?: AbortSignal,
): AsyncGenerator<StreamedLine> {
  const starred = edit.pattern.spansLines ? await starOutAcross(file, end, edit) : undefined
  let number = 1
  let position = 0
  for await (const { bytes, isTooLong } of linesOf(file, end, signal)) {
    const found = starred?.subarray(position, position + bytes.length) ?? bytes
    const scrubbed = isTooLong ? undefined : scrubLine(found, edit)
    const isStarred = found !== bytes && !found.equals(bytes)
    const changed = isStarred ? { ...UNNAMED, bytes: found, ...scrubbed, isChanged: true } : scrubbed
    yield { number, bytes: changed?.bytes ?? bytes, scrubbed: changed, isTooLong }
    position += bytes.length
    if (bytes.at(-1) === LINE_END) number++
  }
}

const UNNAMED = { entryIds: [], refusal: undefined, isLeft: false } as const

/** Text that is no JSON may hold a secret of several lines as it is. Nothing when it does not. */
async function starOutAcross(file: StorageReader, end: number, { pattern }: TextEdit): Promise<Buffer | undefined> {
  if (end > MAX_ACROSS_BYTES) return undefined
  const bytes = Buffer.alloc(end)
  const latin1 = bytes.toString('latin1', 0, await file.read(bytes, 0))
  // What is within one line is for those who can read JSON.
  const across = latin1.replace(/[^\n]*\n?/g, (line) => pattern.starOut(line, '\0'))
  if (!pattern.isInBytes(across)) return undefined
  const starred = pattern.starOut(across)
  return Buffer.from(
    starred.replace(/\0+/g, (run, at: number) => latin1.slice(at, at + run.length)),
    'latin1',
  )
}

/** The same at once, for the few lines that came meanwhile. */
export function scrubSync(bytes: Buffer, edit: TextEdit): Uint8Array {
  const pieces: Uint8Array[] = []
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(LINE_END, start)
    const end = newline < 0 ? bytes.length : newline + 1
    const line = bytes.subarray(start, end)
    const scrubbed = scrubLine(line, edit)
    // What must not be changed stays, for whoever looks whether the secret is gone.
    pieces.push(scrubbed === undefined || scrubbed.refusal !== undefined ? line : scrubbed.bytes)
    start = end
  }
  return Buffer.concat(pieces)
}

/** Each line with its line end. One that is too long comes in pieces. */
async function* linesOf(
  file: StorageReader,
  end: number,
  signal?: AbortSignal,
): AsyncGenerator<{ readonly bytes: Buffer; readonly isTooLong: boolean }> {
  let carried: Buffer[] = []
  let carriedBytes = 0
  let isTooLong = false
  for (let position = 0; position < end; ) {
    signal?.throwIfAborted()
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - position))
    const length = await file.read(chunk, position)
    if (length === 0) break
    position += length
    for (let start = 0; start < length; ) {
      const newline = chunk.subarray(0, length).indexOf(LINE_END, start)
      const stop = newline < 0 ? length : newline + 1
      carried.push(chunk.subarray(start, stop))
      carriedBytes += stop - start
      start = stop
      isTooLong ||= carriedBytes > MAX_LINE_BYTES
      if (newline < 0 && !isTooLong) continue
      yield { bytes: carried.length === 1 ? carried[0]! : Buffer.concat(carried), isTooLong }
      carried = []
      carriedBytes = 0
      if (newline >= 0) isTooLong = false
    }
  }
  if (carriedBytes > 0) yield { bytes: Buffer.concat(carried), isTooLong }
}

/** A whole file, which has to fit into memory. */
export async function readWholeFile(storage: SessionStorage, path: string): Promise<Buffer> {
  const file = storage.openReader(path)
  try {
    return await readAll(file)
  } finally {
    file.closeSync()
  }
}

async function readAll(file: StorageReader): Promise<Buffer> {
  const bytes = Buffer.alloc(file.statSync().size)
  return bytes.subarray(0, await file.read(bytes, 0))
}
