import { type Fields, isConfig, isFields, isMessage } from './record.ts'

/** A good record in bytes that as a whole are none. */
export interface Rescued {
  readonly value: Fields
  readonly start: number
  readonly end: number
}

/** How records of Neovate begin. Quotes inside strings are escaped, so one of these always opens an object. */
const HEADS = ['{"parentUuid":', '{"uuid":"', '{"type":"'].map((head) => Buffer.from(head))
/** A line of more is no splice of records; and every one costs an attempt to read it. */
const MAX_HEADS = 1000
/** Attempts to read on to the end, past the next head: one for each record that has a head inside. */
const MAX_LONG_READS = 50

/** Finds the whole records behind torn ones in `bytes[start, end)` (X2). */
export function rescueRecords(bytes: Uint8Array, start: number, end: number): Rescued[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const heads = findHeads(buffer, start, end)
  const found: Rescued[] = []
  let longReads = 0
  let done = start
  for (const [i, from] of heads.entries()) {
    if (from < done) continue
    const next = heads[i + 1] ?? end
    let to = next
    let value = parseRecord(buffer, from, to)
    if (value === undefined && next < end && longReads++ < MAX_LONG_READS) {
      to = end
      value = parseRecord(buffer, from, to)
    }
    if (value === undefined) continue
    found.push({ value, start: from, end: to })
    done = to
  }
  return found
}

function findHeads(buffer: Buffer, start: number, end: number): number[] {
  const heads: number[] = []
  // Not a byte further: there may be ten thousand such places in a file.
  const range = buffer.subarray(start, end)
  for (const head of HEADS) {
    let at = range.indexOf(head)
    for (let left = MAX_HEADS; at >= 0 && left > 0; left--) {
      heads.push(start + at)
      at = range.indexOf(head, at + 1)
    }
  }
  return heads.sort((a, b) => a - b)
}

function parseRecord(buffer: Buffer, start: number, end: number): Fields | undefined {
  try {
    const value: unknown = JSON.parse(buffer.toString('utf8', start, end))
    return isFields(value) && (isMessage(value) || isConfig(value)) ? value : undefined
  } catch {
    // Not a whole record, which is what was asked.
    return undefined
  }
}
