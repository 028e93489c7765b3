import type { Entry } from '@treeline/core'
import { type BlobRef, blobRef, isBlobRef } from './blob-ref.ts'
import { walk } from './walk.ts'

const PREFIX = Buffer.from('blob:sha256:')
const HASH_CHARS = 64
const HASH = /^[a-f0-9]{64}$/
/** What an escape of any character of a reference begins with in JSON: `\u003a` is a colon. */
const ESCAPE = Buffer.from('\\u00')
const ESCAPE_CHARS = 6

/** How many bytes a reference has at most: when every character of it is written as an escape. */
export const MAX_REFERENCE_BYTES = (PREFIX.length + HASH_CHARS) * ESCAPE_CHARS

/** Wherever in an entry one may stand; a person who types a reference into a message means no blob. */
export function findEntryRefs(entry: Entry): BlobRef[] {
  const refs: BlobRef[] = []
  walk(entry, (_, key, value) => {
    if (isBlobRef(value) && key !== 'text' && key !== 'content') refs.push(value)
    return 'into'
  })
  return refs
}

/**
 * Everything in raw bytes that looks like one, as often as it is there and however JSON spells it, also where the bytes are
 * no JSON. Costs next to nothing where there is none.
 */
export function* findByteRefs(bytes: Buffer): Generator<{ readonly ref: BlobRef; readonly at: number }> {
  let plain = bytes.indexOf(PREFIX)
  let escaped = bytes.indexOf(ESCAPE)
  while (plain >= 0 || escaped >= 0) {
    const isPlain = escaped < 0 || (plain >= 0 && plain < escaped)
    for (const at of isPlain ? [plain] : startsAt(bytes, escaped)) {
      const ref = readRef(bytes, at)
      if (ref !== undefined) yield { ref, at }
    }
    if (isPlain) plain = bytes.indexOf(PREFIX, plain + 1)
    else escaped = bytes.indexOf(ESCAPE, escaped + 1)
  }
}

/** Where the reference may begin of whose prefix this is the first escape; nowhere for most others, of which there are many. */
function startsAt(bytes: Buffer, at: number): readonly number[] {
  const code = escapedAt(bytes, at)
  const starts: number[] = []
  for (let place = PREFIX.indexOf(code); place >= 0; place = PREFIX.indexOf(code, place + 1)) {
    const start = at - place
    if (start >= 0 && bytes.compare(PREFIX, 0, place, start, at) === 0) starts.unshift(start)
  }
  return starts
}

function readRef(bytes: Buffer, start: number): BlobRef | undefined {
  let at = start
  for (const expected of PREFIX) {
    const { code, end } = charAt(bytes, at)
    if (code !== expected) return undefined
    at = end
  }
  const plain = bytes.toString('latin1', at, at + HASH_CHARS)
  if (HASH.test(plain)) return blobRef(plain)
  if (!plain.includes('\\')) return undefined
  let hash = ''
  while (hash.length < HASH_CHARS && at < bytes.length) {
    const { code, end } = charAt(bytes, at)
    hash += String.fromCharCode(code)
    at = end
  }
  return HASH.test(hash) ? blobRef(hash) : undefined
}

/** The character at a byte, which may be an escape, and where it ends. */
function charAt(bytes: Buffer, at: number): { readonly code: number; readonly end: number } {
  const isEscape = ESCAPE.every((byte, i) => bytes[at + i] === byte)
  return isEscape ? { code: escapedAt(bytes, at), end: at + ESCAPE_CHARS } : { code: bytes[at] ?? 0, end: at + 1 }
}

/** What an escape stands for; 0, which is in no reference, when its digits are none. */
function escapedAt(bytes: Buffer, at: number): number {
  const high = digitOf(bytes[at + ESCAPE.length])
  const low = digitOf(bytes[at + ESCAPE.length + 1])
  return high < 0 || low < 0 ? 0 : high * 16 + low
}

function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
