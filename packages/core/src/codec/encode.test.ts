import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Entry } from '../entry/entry.ts'
import { anyEntry, anyJson } from '../testing/arbitrary-bytes.ts'
import { decodeLog } from './decode.ts'
import { MAX_DEPTH } from './depth.ts'
import { encodeHeader, encodeLine, headFirst } from './encode.ts'
import { MAX_LINE_BYTES } from './parse.ts'
import { checkCrc } from './seal.ts'

const base = { type: 'x', id: 'a1', parentId: null, timestamp: '2026-01-01T00:00:00.000Z' }
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

function nested(depth: number): unknown {
  let value: unknown = 0
  for (let k = 0; k < depth; k++) value = k % 2 === 0 ? [value] : { value }
  return value
}

test('I1 every encoded line is checksummed, and D4 is one line whatever it holds', () => {
  fc.assert(
    fc.property(anyEntry, (entry) => {
      const line = encodeLine(entry)
      expect(line.indexOf(0x0a)).toBe(line.length - 1)
      expect(checkCrc(line, 0, line.length - 1)).toBe('ok')
    }),
  )
})

test('decoding an encoded entry gives the entry back', () => {
  fc.assert(
    fc.property(anyEntry, anyJson, fc.integer({ min: 0, max: MAX_DEPTH - 1 }), (entry, extra, depth) => {
      const full: Entry = { ...entry, extra, deep: nested(depth) }
      const { records, skipped, notes } = decodeLog(encodeLine(full))
      expect(records.map((record) => record.value)).toEqual([full])
      expect(records[0]?.crc).toBe('ok')
      expect([skipped, notes.map((note) => note.code)]).toEqual([[], ['no_header']])
    }),
  )
})

test('a key named __proto__ is data and never becomes a prototype', () => {
  const entry = JSON.parse('{"type":"x","id":"a","parentId":null,"timestamp":"t","__proto__":{"polluted":1}}') as Entry
  const { value } = decodeLog(encodeLine(entry)).records[0]!
  expect(Object.hasOwn(value, '__proto__')).toBe(true)
  expect((value as { polluted?: unknown }).polluted).toBeUndefined()
})

test('lone surrogates are escaped and survive', () => {
  const line = encodeLine({ ...base, text: '\ud800x\udfff' })
  expect(decode(line)).toContain('\\ud800x\\udfff')
  expect(decodeLog(line).records[0]?.value.text).toBe('\ud800x\udfff')
})

test('the head comes first, then what a scan looks at, then the rest in its own order', () => {
  const message = {
    zeta: 1,
    message: { role: 'user' },
    timestamp: 't',
    parentId: null,
    alpha: 2,
    id: 'a',
    type: 'message',
  }
  expect(Object.keys(headFirst(message))).toEqual(['type', 'id', 'parentId', 'timestamp', 'message', 'zeta', 'alpha'])
  const custom = { customType: 'treeline/edit', data: {}, ...base, type: 'custom' }
  expect(decode(encodeLine(custom))).toMatch(
    /^\{"type":"custom","id":"a1","parentId":null,"timestamp":"[^"]+","customType":/,
  )
})

test('a crc field the entry brings is dropped and recomputed', () => {
  const line = encodeLine({ ...base, crc: 'stale', note: 1 })
  expect(decode(line).match(/crc/g)).toHaveLength(1)
  expect(checkCrc(line, 0, line.length - 1)).toBe('ok')
})

test('a header is one checksummed line', () => {
  const line = encodeHeader({ type: 'session', version: 3, id: 's', timestamp: 't', cwd: '/' })
  expect(decodeLog(line).header?.crc).toBe('ok')
})

test(`an entry nested ${MAX_DEPTH} levels deep is written, one level more is refused`, () => {
  expect(decodeLog(encodeLine({ ...base, deep: nested(MAX_DEPTH - 1) })).records).toHaveLength(1)
  expect(() => encodeLine({ ...base, deep: nested(MAX_DEPTH) })).toThrow(
    /^Entry a1 is nested deeper than 64 levels\. Flatten/,
  )
  expect(() => encodeLine({ ...base, deep: nested(1_000_000) })).toThrow(/deeper than 64/)
})

test('what no reader would take for one line is refused', () => {
  const text = 'x'.repeat(MAX_LINE_BYTES - 200)
  const tooLong = { code: 'payload_too_large', message: expect.stringContaining('Entry a1') }
  expect(encodeLine({ ...base, text }).length).toBeLessThanOrEqual(MAX_LINE_BYTES + 1)
  expect(() => encodeLine({ ...base, text: `${text}${'x'.repeat(300)}` })).toThrow(expect.objectContaining(tooLong))
  // Longer than any string.
  expect(() => encodeLine({ ...base, texts: [text, text, text] })).toThrow(expect.objectContaining(tooLong))
})

test('what JSON cannot carry is refused by name and place', () => {
  const cycle: Record<string, unknown> = {}
  cycle.self = [{ cycle }]
  const refused: [unknown, RegExp][] = [
    [10n, /Entry a1 holds a bigint at data\.at, which JSON cannot carry\. Store plain JSON/],
    [() => 1, /holds a function at data\.at/],
    [Symbol('s'), /holds a symbol/],
    [new Map([[1, 2]]), /holds a Map object/],
    [new Uint8Array(2), /holds a Uint8Array object/],
    [{ toJSON: () => 1 }, /holds a function at data\.at\.toJSON/],
    [cycle, /Entry a1 contains itself\. Store a copy/],
  ]
  for (const [at, message] of refused) {
    expect(() => encodeLine({ ...base, data: { at } })).toThrow(expect.objectContaining({ code: 'invalid_entry' }))
    expect(() => encodeLine({ ...base, data: { at } })).toThrow(message)
  }
  expect(() => encodeLine({ id: 'a1' } as unknown as Entry)).toThrow(/Entry a1 has no type/)
})

test('undefined members vanish, NaN becomes null and dates become text, as in JSON', () => {
  const value = { ...base, gone: undefined, nan: Number.NaN, list: [undefined], when: new Date(0) }
  expect(decodeLog(encodeLine(value)).records[0]?.value).toEqual({
    ...base,
    nan: null,
    list: [null],
    when: '1970-01-01T00:00:00.000Z',
  })
})
