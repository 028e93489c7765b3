/** For each key the JSON of its value. */
export type Members = Readonly<Record<string, string>>

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN = 0x7b
const CLOSE = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d

/**
 * A JSON object with other values for some of its own members; those it lacks come last. All other bytes stay what they
 * are, numbers and order among them, which parsing would change. Nothing when it is not an object as tools write it.
 */
export function setMembers(object: Uint8Array, members: Members): Uint8Array | undefined {
  const spans = findMembers(object, members)
  if (spans === undefined || skipSpace(object, spans.close + 1) < object.length) return undefined
  const pieces: Uint8Array[] = []
  let at = 0
  for (const { key, start, end } of spans.found) {
    pieces.push(object.subarray(at, start), Buffer.from(members[key]!))
    at = end
  }
  pieces.push(object.subarray(at, spans.close))
  const given = new Set(spans.found.map(({ key }) => key))
  let isFirst = spans.isEmpty
  for (const [key, value] of Object.entries(members)) {
    if (given.has(key)) continue
    pieces.push(Buffer.from(`${isFirst ? '' : ','}${JSON.stringify(key)}:${value}`))
    isFirst = false
  }
  pieces.push(object.subarray(spans.close, spans.close + 1))
  return Buffer.concat(pieces)
}

/** The JSON of a member's value; nothing when there is none, or the object is not as tools write it. */
export function readMember(object: Uint8Array, key: string): Uint8Array | undefined {
  const span = findMembers(object, { [key]: '' })?.found.at(-1)
  return span && object.subarray(span.start, span.end)
}

/** A value. */
interface Span {
  readonly key: string
  readonly start: number
  readonly end: number
}

interface Found {
  /** In their order. A key may stand there twice: the last counts for JSON, the first for who looks at heads alone. */
  readonly found: readonly Span[]
  readonly isEmpty: boolean
  /** The brace that ends it. */
  readonly close: number
}

function findMembers(bytes: Uint8Array, wanted: Members): Found | undefined {
  const found: Span[] = []
  let at = skipSpace(bytes, 0)
  if (bytes[at] !== OPEN) return undefined
  at = skipSpace(bytes, at + 1)
  if (bytes[at] === CLOSE) return { found, isEmpty: true, close: at }
  for (;;) {
    const keyEnd = skipString(bytes, at)
    if (keyEnd < 0) return undefined
    const key = Buffer.from(bytes.subarray(at + 1, keyEnd - 1)).toString()
    // One with escapes may be any.
    if (key.includes('\\')) return undefined
    at = skipSpace(bytes, keyEnd)
    if (bytes[at] !== COLON) return undefined
    const start = skipSpace(bytes, at + 1)
    const end = skipValue(bytes, start)
    if (end < 0) return undefined
    if (Object.hasOwn(wanted, key)) found.push({ key, start, end })
    at = skipSpace(bytes, end)
    if (bytes[at] === CLOSE) return { found, isEmpty: false, close: at }
    if (bytes[at] !== COMMA) return undefined
    at = skipSpace(bytes, at + 1)
  }
}

function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0d || bytes[at] === 0x0a) at++
  return at
}

/** Behind the closing quote; -1 when there is no string. */
function skipString(bytes: Uint8Array, start: number): number {
  if (bytes[start] !== QUOTE) return -1
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++
    else if (bytes[at] === QUOTE) return at + 1
  }
  return -1
}

function skipValue(bytes: Uint8Array, start: number): number {
  if (bytes[start] === QUOTE) return skipString(bytes, start)
  let depth = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = skipString(bytes, at) - 1
      if (at < 0) return -1
    } else if (byte === OPEN || byte === OPEN_LIST) depth++
    else if (depth === 0 && (byte === COMMA || byte === CLOSE || byte! <= 0x20)) return at > start ? at : -1
    else if (byte === CLOSE || byte === CLOSE_LIST) {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return -1
}
