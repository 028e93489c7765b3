/** The beginning of a file, for telling whose it is. */
export interface Sample {
  /** The first 64 KiB as text, without a byte order mark; as much of the first line as there is where that is longer. */
  readonly text: string
  /** Whether that is all of the file. */
  readonly isWhole: boolean
  /** The whole lines of it that are JSON objects, in order. */
  readonly records: readonly Readonly<Record<string, unknown>>[]
}

export const SAMPLE_BYTES = 64 * 1024
/** Somebody's first message may be a long one. */
export const MAX_FIRST_LINE_BYTES = 8 * 1024 * 1024

const LINE_END = 0x0a

/** `head` is the beginning of the file: more of it than is needed does no harm. */
export function takeSample(head: Uint8Array, fileSize: number): Sample {
  const firstEnd = head.subarray(0, MAX_FIRST_LINE_BYTES).indexOf(LINE_END)
  const bytes = head.subarray(0, Math.max(SAMPLE_BYTES, firstEnd < 0 ? MAX_FIRST_LINE_BYTES : firstEnd + 1))
  const isWhole = fileSize <= bytes.length
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('utf8')
    .replace(/^\ufeff/, '')
  const lines = text.split('\n')
  // The last one may go on behind the sample.
  if (!isWhole) lines.pop()
  return { text, isWhole, records: lines.map(parseObject).filter((record) => record !== undefined) }
}

function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.trimStart().startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    // Not a record, which is what was asked.
    return undefined
  }
}
