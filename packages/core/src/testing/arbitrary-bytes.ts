/** Random records and logs as bytes, good and hostile. */
import fc from 'fast-check'
import { encodeHeader, encodeLine } from '../codec/encode.ts'
import type { Entry } from '../entry/entry.ts'

const encoder = new TextEncoder()

/** Text that looks like structure, breaks naive matchers or does not survive careless encoders. */
const hostileText = fc.constantFrom(
  '{"type":"message","id":"x","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z"}',
  '}{"type":"',
  '"parentId":null',
  ',"crc":"00000000"}',
  '\\',
  '\\"',
  '\u0000\u001f\u007f\u2028',
  '\ud800',
  'a\r\nb',
  '🜁 é ﷽',
  '[[[{{{',
)
const anyText = fc.oneof(hostileText, fc.string({ unit: 'binary', maxLength: 12 }), fc.string({ maxLength: 30 }))

const anyKey = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 6 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('__proto__', 'constructor', 'toJSON', 'type', 'id', 'parentId', 'timestamp', '0', ''),
  },
)

/** Any JSON value, hostile keys and numbers included. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(fc.constantFrom(null, true, false, 2 ** 53 + 2, -1e-7, 0), fc.integer(), anyText),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(anyKey, tie('value')), { maxLength: 3 }).map(ownProperties),
  ),
})).value

/** `Object.fromEntries` defines own properties, so `__proto__` stays a key. */
function ownProperties(pairs: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(pairs)
}

const plainId = fc.oneof(
  fc.integer({ min: 0, max: 0xffffffff }).map((n) => n.toString(16).padStart(8, '0')),
  fc.uuid(),
)
const anyId = fc.oneof({ weight: 6, arbitrary: plainId }, { weight: 1, arbitrary: anyText })
const anyTimestamp = fc.oneof(
  { weight: 8, arbitrary: fc.date({ min: new Date(0), noInvalidDate: true }).map((date) => date.toISOString()) },
  { weight: 1, arbitrary: fc.constantFrom('2026-02-30T00:00:00.000Z', '2026-01-01', 'yesterday', '') },
)
const anyType = fc.constantFrom(
  ...['message', 'message', 'message', 'compaction', 'model_change', 'custom', 'label', 'session_info', 'future_type'],
)

/** An entry in the head-first order Treeline and Pi write. */
export const anyEntry: fc.Arbitrary<Entry> = fc
  .record({
    type: anyType,
    id: anyId,
    parentId: fc.option(anyId),
    timestamp: anyTimestamp,
    role: fc.constantFrom('user', 'assistant', 'toolResult', 'hookMessage', 'alien'),
    customType: fc.constantFrom('treeline/edit', 'treeline/generation', 'treeline/attempt', 'other'),
    payload: anyJson,
  })
  .map(({ type, id, parentId, timestamp, role, customType, payload }) => {
    const head = { type, id, parentId, timestamp }
    if (type === 'message') return { ...head, message: { role, content: [{ type: 'text', text: payload }] } }
    if (type === 'custom') return { ...head, customType, data: payload }
    return { ...head, payload }
  })

/** A record's bytes as one of the tools would write them, without line end. */
export const anyRecord: fc.Arbitrary<Uint8Array> = fc.tuple(anyEntry, fc.nat(9)).map(([entry, dialect]) => {
  const { type, id, parentId, timestamp, ...rest } = entry
  if (dialect < 4) return encodeLine(entry).slice(0, -1)
  if (dialect < 7) return encoder.encode(JSON.stringify(entry))
  if (dialect === 7) return encoder.encode(JSON.stringify({ type, ...rest, id, parentId, timestamp }))
  // v1 has no ids; only types of its day.
  if (dialect === 8)
    return encoder.encode(JSON.stringify({ type: 'message', timestamp: '2025-11-03T08:00:00Z', ...rest }))
  return encoder.encode(JSON.stringify(entry, null, ' ').replaceAll('\n', ' '))
})

export const header = encodeHeader({
  type: 'session',
  version: 3,
  id: '0199c0de-0000-7000-8000-000000000001',
  timestamp: '2026-01-15T10:00:01.000Z',
  cwd: '/home/dev/proj',
})

/** Bytes without a line feed, as a bad disk, a torn write or another program leaves them. */
export const anyGarbage: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 20 }).map((bytes) => bytes.map((byte) => (byte === 0x0a ? 0 : byte))),
  fc.nat(40).map((length) => new Uint8Array(length + 1)),
  fc
    .constantFrom('garbage', '"', '{', '{"a":', '[1,', 'null', '42', '"text"', '[]', '{}', '{"id":"a"}', '\\')
    .map((text) => encoder.encode(text)),
  fc.tuple(anyRecord, fc.nat()).map(([record, cut]) => record.slice(0, 1 + (cut % (record.length - 1)))),
)

const anyLineEnd = fc.constantFrom('\n', '\n', '\n', '\r\n')
const space = fc.constantFrom('', '', '', ' ', '\t ', '\ufeff')

/** A log of good lines, damaged lines and everything between. */
export const anyLog: fc.Arbitrary<Uint8Array> = fc
  .tuple(
    fc.option(fc.constant(header)),
    fc.array(
      fc.tuple(
        space,
        fc.array(fc.oneof({ weight: 5, arbitrary: anyRecord }, { weight: 1, arbitrary: anyGarbage }), { maxLength: 2 }),
        anyLineEnd,
      ),
      { maxLength: 12 },
    ),
    fc.boolean(),
  )
  .map(([first, lines, cut]) => {
    const parts = lines.flatMap(([lead, records, end]) => [encoder.encode(lead), ...records, encoder.encode(end)])
    const bytes = concat([first ?? new Uint8Array(0), ...parts])
    return cut ? bytes.slice(0, -1) : bytes
  })

export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
