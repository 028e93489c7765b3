import { isDeeperThan, MAX_DEPTH } from './depth.ts'
import type { SkipReason } from './findings.ts'
import { type Crc32, type CrcState, checkCrc, findContentEnd } from './seal.ts'

/** A parsed object with a string `type`; nothing else about it is known yet. */
export interface RawObject {
  readonly type: string
  readonly [field: string]: unknown
}

/** A JavaScript string holds 512 MiB at most; beyond this a line is kept on disk but never parsed. */
export const MAX_LINE_BYTES = 256 * 1024 * 1024
/** One long line does not make us hold on to its size for ever. */
const MAX_SCRATCH_BYTES = 4 * 1024 * 1024

export type ParseOutcome =
  | { readonly ok: true; readonly value: RawObject; readonly crc: CrcState; readonly validUtf8: boolean }
  | { readonly ok: false; readonly reason: SkipReason; readonly cause?: unknown }

const JSON_STARTS: ReadonlySet<number | undefined> = new Set(new TextEncoder().encode('{["-0123456789tfn \t\r'))

// Without `ignoreBOM` a decoder would silently drop a byte order mark inside a record's range.
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenientDecoder = new TextDecoder('utf-8', { ignoreBOM: true })

export interface ParseOptions {
  readonly maxBytes?: number
  readonly crc32?: Crc32 | undefined
}

/** Parses `bytes[start, end)` as one record. The checksum is not part of the value. */
export function parseObject(bytes: Uint8Array, start: number, end: number, options: ParseOptions = {}): ParseOutcome {
  if (end - start > (options.maxBytes ?? MAX_LINE_BYTES)) return { ok: false, reason: 'too_long' }
  // Spares the cost of an exception per line where a file is not a log at all.
  if (!JSON_STARTS.has(bytes[start])) return { ok: false, reason: 'not_json' }
  const contentEnd = findContentEnd(bytes, start, end)
  const sealed = contentEnd < end - 1
  const content = sealed ? closed(bytes, start, contentEnd) : bytes.subarray(start, end)
  let text: string
  let validUtf8 = true
  try {
    text = strictDecoder.decode(content)
  } catch {
    // Broken UTF-8 is reported, not refused: the rest of the record is good.
    validUtf8 = false
    text = lenientDecoder.decode(content)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    return { ok: false, reason: 'not_json', cause }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { ok: false, reason: 'not_an_object' }
  if (!hasType(value)) return { ok: false, reason: 'no_type' }
  // Each level needs two bytes, so short records need no look.
  if (end - start > MAX_DEPTH * 2 && isDeeperThan(value, MAX_DEPTH)) return { ok: false, reason: 'too_deep' }
  return { ok: true, value, crc: sealed ? checkCrc(bytes, start, end, options.crc32) : 'none', validUtf8 }
}

const CLOSE = 0x7d
let scratch = new Uint8Array(64 * 1024)

/**
 * The record without its checksum. Copied, because closing the text instead would make a string of two pieces that
 * `JSON.parse` has to join, and taking the key off the parsed object costs as much.
 */
function closed(bytes: Uint8Array, start: number, contentEnd: number): Uint8Array {
  const length = contentEnd - start
  if (length >= scratch.length) scratch = new Uint8Array(length * 2)
  scratch.set(bytes.subarray(start, contentEnd))
  scratch[length] = CLOSE
  const copy = scratch.subarray(0, length + 1)
  if (scratch.length > MAX_SCRATCH_BYTES) scratch = new Uint8Array(64 * 1024)
  return copy
}

function hasType(value: object): value is RawObject {
  return typeof (value as { type?: unknown }).type === 'string'
}
