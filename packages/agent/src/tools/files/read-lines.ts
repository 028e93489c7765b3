import { isUtf8 } from 'node:buffer'

const LINE_FEED = 10
const NUL = 0

export interface LineWindow {
  /** 1 is the first. */
  readonly offset: number
  readonly limit: number
  readonly maxBytes: number
}

export interface LinesRead {
  readonly text: string
  readonly lineCount: number
  /** Where there may be more: the next line, unless the file ended. */
  readonly nextLine: number | undefined
  /** The first line alone was too long; its beginning is in `text`. */
  readonly isLineCut: boolean
  /** How many lines there were, if the end was reached. */
  readonly totalLines: number | undefined
  readonly isUtf8: boolean
  readonly hasCrlf: boolean
}

/**
 * Some lines out of a stream of bytes; `undefined` for bytes that are no text, as far as was looked. Takes no more chunks
 * than it needs and keeps no more than it returns.
 */
export async function readLines(
  chunks: AsyncIterable<Uint8Array>,
  { offset, limit, maxBytes }: LineWindow,
): Promise<LinesRead | undefined> {
  const taken: Buffer[] = []
  let takenBytes = 0
  /** Whole lines among the bytes taken, and where the last of them ends. */
  let lineCount = 0
  let linesEnd = 0
  let line = 1
  let isLineOpen = false
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    let at = 0
    while (at < bytes.length && line < offset) if (bytes[at++] === LINE_FEED) line++
    const start = at
    const most = Math.min(bytes.length, start + maxBytes - takenBytes)
    while (at < most && lineCount < limit) {
      const next = bytes.indexOf(LINE_FEED, at)
      if (next < 0 || next >= most) {
        at = most
        break
      }
      at = next + 1
      lineCount++
      linesEnd = takenBytes + at - start
    }
    if (bytes.subarray(0, at).includes(NUL)) return undefined
    if (bytes.length > 0) isLineOpen = bytes.at(-1) !== LINE_FEED
    taken.push(Buffer.from(bytes.subarray(start, at)))
    takenBytes += at - start
    if (at < bytes.length) return finish({ isEnd: false })
  }
  return finish({ isEnd: true })

  function finish({ isEnd }: { isEnd: boolean }): LinesRead {
    const all = Buffer.concat(taken)
    const isOpen = isEnd && all.length > linesEnd
    const isLineCut = !isEnd && lineCount === 0
    const bytes = isEnd || isLineCut ? all : all.subarray(0, linesEnd)
    const count = isOpen || isLineCut ? lineCount + 1 : lineCount
    const skipped = line < offset ? line - 1 + (isLineOpen ? 1 : 0) : offset - 1
    const text = new TextDecoder().decode(bytes).replaceAll('\r\n', '\n')
    return {
      // A line that was cut may end within a character.
      text: isLineCut ? text.replace(/\ufffd$/, '') : text,
      lineCount: count,
      nextLine: isEnd ? undefined : offset + count,
      isLineCut,
      totalLines: isEnd ? skipped + count : undefined,
      isUtf8: isLineCut || isUtf8(bytes),
      hasCrlf: bytes.includes('\r\n'),
    }
  }
}
