import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { hideInText } from '../hide-secrets.ts'

const CHUNK_BYTES = 256 * 1024
const LINE_FEED = 10
/** Of a longer line the rest is not looked at. */
const MAX_LINE_CHARS = 20_000
const MAX_SHOWN_CHARS = 300
const SHOWN_BEFORE = 60

export interface MatchedLine {
  readonly line: number
  readonly text: string
}

/** The lines of a file that match, in order. A file that is no text has none from there on. Memory stays small. */
export function* matchLines(path: string, pattern: RegExp, secrets: readonly string[]): Generator<MatchedLine> {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(file).isFile()) return
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    let line = 1
    /** Bytes of a line that goes on in the next chunk; of a very long one, only its beginning. */
    let open = Buffer.alloc(0)
    for (let position = 0; ; ) {
      const read = readSync(file, buffer, 0, CHUNK_BYTES, position)
      position += read
      const chunk = buffer.subarray(0, read)
      if (chunk.includes(0)) return
      const end = chunk.lastIndexOf(LINE_FEED) + 1
      const isEnd = read === 0
      if (end > 0 || isEnd) {
        const text = Buffer.concat([open, chunk.subarray(0, end)]).toString()
        // Before anything is matched or cut: a part of a secret would get by whoever looks for the whole.
        for (const found of matchText(hideInText(text, secrets), pattern))
          yield { line: line + found.line, text: found.text }
        line += countLineFeeds(chunk.subarray(0, end))
        open = Buffer.alloc(0)
      }
      if (isEnd) return
      if (open.length < CHUNK_BYTES) open = Buffer.concat([open, chunk.subarray(end)])
    }
  } finally {
    closeSync(file)
  }
}

/** Lines are counted from 0 here. */
function* matchText(text: string, pattern: RegExp): Generator<MatchedLine> {
  let line = 0
  for (let at = 0; at < text.length; line++) {
    const next = text.indexOf('\n', at)
    const end = next < 0 ? text.length : next
    const looked = text.slice(at, Math.min(end, at + MAX_LINE_CHARS)).replace(/\r$/, '')
    const match = pattern.exec(looked)
    if (match !== null) yield { line, text: cut(looked, match.index) }
    at = end + 1
  }
}

function cut(line: string, matchAt: number): string {
  if (line.length <= MAX_SHOWN_CHARS) return line
  const start = Math.min(Math.max(0, matchAt - SHOWN_BEFORE), line.length - MAX_SHOWN_CHARS)
  const shown = line.slice(start, start + MAX_SHOWN_CHARS).toWellFormed()
  return `${start > 0 ? '…' : ''}${shown}${start + MAX_SHOWN_CHARS < line.length ? '…' : ''}`
}

function countLineFeeds(bytes: Uint8Array): number {
  let count = 0
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === LINE_FEED) count++
  return count
}
