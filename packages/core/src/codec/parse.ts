import { isDeeperThan, MAX_DEPTH } from './depth.ts'
import type { SkipReason } from './findings.ts'
import { type Crc32, type CrcState, checkCrc, TAIL_BYTES } from './seal.ts'

/** A parsed object with a string `type`; nothing else about it is known yet. */
export interface RawObject {
  readonly type: string
  readonly [field: string]: unknown
}

/** A JavaScript string holds 512 MiB at most; beyond this a line is kept on disk but never parsed. */
export const MAX_LINE_BYTES = 256 * 1024 * 1024

export type ParseOutcome =
  | { readonly ok: true; readonly value: RawObject; readonly crc: CrcState; readonly text: string }
  | { readonly ok: false; readonly reason: SkipReason; readonly cause?: unknown }

const CLOSE = 0x7d
const JSON_STARTS: ReadonlySet<number | undefined> = new Set(new TextEncoder().encode('{["-0123456789tfn \t\r'))

// Made when first needed, which takes long where the platform decodes otherwise.
// Without `ignoreBOM` a decoder would silently drop a byte order mark inside a record's range.
let strictDecoder: InstanceType<typeof TextDecoder> | undefined
let lenientDecoder: InstanceType<typeof TextDecoder> | undefined

/** Decodes `bytes[start, end)` as `TextDecoder` does, broken bytes to U+FFFD and a byte order mark kept. */
export type DecodeUtf8 = (bytes: Uint8Array, start: number, end: number) => string

/** What the platform may do faster. */
export interface RecordCodec {
  readonly crc32?: Crc32 | undefined
  readonly decodeUtf8?: DecodeUtf8 | undefined
}

const PLAIN: RecordCodec = {}

/** Parses `bytes[start, end)` as one record. The checksum is not part of the value. */
export function parseObject(
  bytes: Uint8Array,
  start: number,
  end: number,
  maxBytes: number = MAX_LINE_BYTES,
  codec: RecordCodec = PLAIN,
): ParseOutcome {
  if (end - start > maxBytes) return { ok: false, reason: 'too_long' }
  // Spares the cost of an exception per line where a file is not a log at all.
  if (!JSON_STARTS.has(bytes[start])) return { ok: false, reason: 'not_json' }
  // Ahead of decoding, which then finds the bytes in the processor's cache.
  const crc = checkCrc(bytes, start, end, codec.crc32)
  const decode = codec.decodeUtf8 ?? decodePlain
  const text = crc === 'none' ? decode(bytes, start, end) : decodeClosed(bytes, start, end - TAIL_BYTES, decode)
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
  return { ok: true, value, crc, text }
}

/**
 * Broken UTF-8 is reported, not refused: the rest of the record is good. It decodes to U+FFFD, which is seldom in a
 * record's `text`.
 */
export function isUtf8Record(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  return !text.includes('\ufffd') || isUtf8(bytes.subarray(start, end))
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictDecoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    strictDecoder.decode(bytes)
    return true
  } catch {
    return false
  }
}

/**
 * The record's text without its checksum. The byte after the content is a brace while it is decoded: closing the text
 * instead would make a string of two pieces that `JSON.parse` has to join, and taking the key off the parsed object, or
 * copying the bytes, costs more than the checksum itself.
 */
function decodeClosed(bytes: Uint8Array, start: number, contentEnd: number, decode: DecodeUtf8): string {
  const covered = bytes[contentEnd]!
  bytes[contentEnd] = CLOSE
  try {
    return decode(bytes, start, contentEnd + 1)
  } finally {
    bytes[contentEnd] = covered
  }
}

function decodePlain(bytes: Uint8Array, start: number, end: number): string {
  lenientDecoder ??= new TextDecoder('utf-8', { ignoreBOM: true })
  return lenientDecoder.decode(bytes.subarray(start, end))
}

function hasType(value: object): value is RawObject {
  return typeof (value as { type?: unknown }).type === 'string'
}
