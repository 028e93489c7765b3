/** The beginning and the end of something that may have been longer. */
export interface KeptBytes {
  readonly head: Uint8Array
  readonly tail: Uint8Array
  /** How much there was. */
  readonly totalBytes: number
}

const LINE_FEED = 10
const MAX_CHARACTER_BYTES = 4

/** Both parts in one piece, with a word between them about what was lost. */
export function joinKept({ head, tail, totalBytes }: KeptBytes): {
  readonly bytes: Buffer
  readonly lostBytes: number
} {
  const gap = totalBytes - head.length - tail.length
  if (gap <= 0) return { bytes: Buffer.concat([head, tail]), lostBytes: 0 }
  const start = head.subarray(0, wholeEnd(head, head.length))
  const end = tail.subarray(wholeStart(tail, 0))
  const lostBytes = totalBytes - start.length - end.length
  const note = Buffer.from(`\n[… ${lostBytes} bytes were not kept]\n`)
  return { bytes: Buffer.concat([start, note, end]), lostBytes }
}

export interface Room {
  readonly bytes: number
  readonly lines: number
}

/** Where a head that fits ends: behind a line, or behind a character if the line is too long. */
export function endOfHead(bytes: Buffer, room: Room): number {
  const most = Math.min(bytes.length, room.bytes)
  let end = 0
  for (let lines = 0; lines < room.lines; lines++) {
    const next = bytes.indexOf(LINE_FEED, end) + 1
    if (next === 0 || next > most) return end > most / 2 ? end : wholeEnd(bytes, most)
    end = next
  }
  return end
}

/** Where a tail that fits begins. */
export function startOfTail(bytes: Buffer, room: Room): number {
  const least = Math.max(0, bytes.length - room.bytes)
  // The line feed at the very end closes the last line and begins none.
  let start = bytes.length
  for (let lines = 0; lines < room.lines; lines++) {
    const before = start < 2 ? -1 : bytes.lastIndexOf(LINE_FEED, start - 2)
    if (before + 1 < least) return bytes.length - start > room.bytes / 2 ? start : wholeStart(bytes, least)
    start = before + 1
    if (start === 0) return 0
  }
  return start
}

/** The end of the last whole character up to here. */
function wholeEnd(bytes: Uint8Array, end: number): number {
  const isAll = end >= bytes.length
  if (isAll && isWhole(bytes)) return end
  for (let at = isAll ? end - 1 : end; at > end - MAX_CHARACTER_BYTES && at >= 0; at--)
    if (isStart(bytes[at])) return at
  return end
}

/** Whether the last character is all there; of bytes that are no text nothing is known. */
function isWhole(bytes: Uint8Array): boolean {
  for (let back = 1; back <= Math.min(MAX_CHARACTER_BYTES, bytes.length); back++) {
    const byte = bytes.at(-back)!
    if (isStart(byte)) return lengthOf(byte) <= back
  }
  return true
}

function wholeStart(bytes: Uint8Array, start: number): number {
  for (let at = start; at < Math.min(bytes.length, start + MAX_CHARACTER_BYTES); at++) if (isStart(bytes[at])) return at
  return start
}

function isStart(byte: number | undefined): boolean {
  return byte === undefined || (byte & 0xc0) !== 0x80
}

function lengthOf(byte: number): number {
  if (byte < 0xc0) return 1
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
}
