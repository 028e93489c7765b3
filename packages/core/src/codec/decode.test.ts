import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyLog, concat, header } from '../testing/arbitrary-bytes.ts'
import { runs } from '../testing/runs.ts'
import { decodeLog } from './decode.ts'
import { encodeLine } from './encode.ts'

const encoder = new TextEncoder()
const entry = (id: string, more: object = {}) => ({
  type: 'message',
  id,
  parentId: null,
  timestamp: '2026-01-01T00:00:00.000Z',
  message: { role: 'user', content: 'hi' },
  ...more,
})
const line = (id: string, more?: object) => JSON.stringify(entry(id, more))
const head = new TextDecoder().decode(header)

/** Decodes text and says which ids were kept and what was reported, shortly. */
function decode(text: string | Uint8Array) {
  const bytes = typeof text === 'string' ? encoder.encode(text) : text
  const log = decodeLog(bytes)
  return {
    header: log.header !== undefined,
    ids: log.records.map((record) => record.value.id),
    skipped: log.skipped.map((range) => `${range.reason}@${range.line}`),
    notes: log.notes.map((note) => `${note.code}@${note.line}`),
  }
}

test('a good log is a header and its entries, with the exact range of each', () => {
  const text = `${head}${line('a')}\n${line('b')}\n`
  const log = decodeLog(encoder.encode(text))
  expect(log.header?.value.id).toBe('0199c0de-0000-7000-8000-000000000001')
  expect(log.records.map((record) => text.slice(record.offset, record.offset + record.length))).toEqual([
    line('a'),
    line('b'),
  ])
  expect(log.records.map((record) => record.line)).toEqual([2, 3])
  expect([log.skipped, log.notes]).toEqual([[], []])
})

test('unknown types, fields and key order survive byte for byte', () => {
  const odd = '{"zeta": [1e2,\t"\\u0041"],"type":"from_the_future","__proto__":{"x":1}, "timestamp":"t","id":"a"}'
  const text = `${head}${odd}\n`
  const { records } = decodeLog(encoder.encode(text))
  expect(text.slice(records[0]!.offset, records[0]!.offset + records[0]!.length)).toBe(odd)
  expect(Object.keys(records[0]!.value)).toEqual(['zeta', 'type', '__proto__', 'timestamp', 'id'])
})

test('S17 X2 a bad line is skipped and reported, the others are kept', () => {
  const text = `${head}${line('a')}\nthis is not json\n{"type":"message","id":"trunc\n${line('b')}\n`
  expect(decode(text)).toEqual({ header: true, ids: ['a', 'b'], skipped: ['not_json@3', 'not_json@4'], notes: [] })
})

test.each([
  ['a byte order mark', `\ufeff${head}${line('a')}\n`, ['bom@1']],
  ['blank lines', `\n  \n${head}\n\t\n${line('a')}\n\n`, ['blank@2', 'blank@5']],
  ['CRLF', `${head.replace('\n', '\r\n')}${line('a')}\r\n\r\n`, []],
  ['white space around a record', `${head}  ${line('a')} \n`, ['blank@2', 'blank@2']],
  ['a last line without line end', `${head}${line('a')}`, []],
  ['a last line cut inside its CRLF', `${head}${line('a')}\r`, ['blank@2']],
])('%s is harmless', (_name, text, skipped) => {
  expect(decode(text)).toEqual({ header: true, ids: ['a'], skipped, notes: [] })
  expect(decodeLog(encoder.encode(text)).skipped.every((range) => range.severity === 'note')).toBe(true)
})

test.each([
  ['a scalar', '42', 'not_an_object'],
  ['null', 'null', 'not_an_object'],
  ['a string', '"text"', 'not_an_object'],
  ['an array, even of entries', `[${line('x')}]`, 'not_an_object'],
  ['an object without a type', '{"id":"x"}', 'no_type'],
  ['an object whose type is no string', '{"type":1}', 'no_type'],
  ['an object nested too deep', `{"type":"x","deep":${'['.repeat(64)}${']'.repeat(64)}}`, 'too_deep'],
  ['a hundred thousand levels', `{"type":"x","deep":${'['.repeat(1e5)}${']'.repeat(1e5)}}`, 'too_deep'],
])('I2 %s is damage: reported, not an entry', (_name, bad, reason) => {
  const result = decode(`${head}${line('a')}\n${bad}\n${line('b')}\n`)
  expect(result).toEqual({ header: true, ids: ['a', 'b'], skipped: [`${reason}@3`], notes: [] })
})

test('X1 a torn tail is damage at the end, and nothing before it is lost', () => {
  expect(decode(`${head}${line('a')}\n${line('b').slice(0, 40)}`).skipped).toEqual(['torn@3'])
  expect(decode(concat([encoder.encode(`${head}${line('a')}\n`), new Uint8Array(500)])).skipped).toEqual(['torn@3'])
  expect(decode(`${head}${line('a')}${line('b').slice(0, 40)}`)).toMatchObject({ ids: ['a'], skipped: ['torn@2'] })
})

test('X2 two records on one line are both kept', () => {
  expect(decode(`${head}${line('a')}${line('b')} ${line('c')}\n`)).toMatchObject({
    ids: ['a', 'b', 'c'],
    skipped: ['blank@2'],
  })
})

test('X2 a record glued to a torn one is kept, and the torn bytes are located', () => {
  const torn = line('lost').slice(0, -20)
  const log = decodeLog(encoder.encode(`${head}${torn}${line('a')}\n`))
  expect(log.records.map((record) => record.value.id)).toEqual(['a'])
  expect(log.skipped).toEqual([
    { reason: 'garbage_before_record', severity: 'damage', offset: header.length, length: torn.length, line: 2 },
  ])
})

test('I3 a log without a readable header still gives its entries', () => {
  const noHeader = decode(`${head.slice(0, 40)}\n${line('a')}\n${line('b')}\n`)
  expect(noHeader).toEqual({ header: false, ids: ['a', 'b'], skipped: ['not_json@1'], notes: ['no_header@2'] })
  expect(decode(`${line('a')}\n${head}`)).toEqual({
    header: false,
    ids: ['a'],
    skipped: [],
    notes: ['no_header@1', 'extra_header@2'],
  })
  expect(decode('{"type":"session","id":7}\n')).toMatchObject({
    header: false,
    notes: ['no_header@1', 'extra_header@1'],
  })
  expect(decode('')).toEqual({ header: false, ids: [], skipped: [], notes: [] })
})

test('S17 garbage before the header is fine, and a second header is a note, not an entry', () => {
  expect(decode(`junk\n{}\n${head}${line('a')}\n${head}${line('b')}\n`)).toEqual({
    header: true,
    ids: ['a', 'b'],
    skipped: ['not_json@1', 'no_type@2'],
    notes: ['extra_header@5'],
  })
})

test("oh-my-pi's title slot may stand before the header, once", () => {
  const slot = '{"type":"title","v":1,"title":"T","updatedAt":"2026-01-01T00:00:00.000Z","pad":"  "}'
  const log = decodeLog(encoder.encode(`${slot}\n${head}${line('a')}\n`))
  expect(log.titleSlot?.value.title).toBe('T')
  expect(log.header?.line).toBe(2)
  expect(log.notes).toEqual([])
  expect(decode(`${slot}\n${slot}\n${head}`)).toMatchObject({ header: false, notes: ['no_header@2', 'extra_header@3'] })
})

test('broken UTF-8 inside a record is replaced and noted', () => {
  const bytes = encoder.encode(`${head}${line('a', { text: 'x?y' })}\n`)
  bytes[bytes.lastIndexOf(0x3f)] = 0xff
  const log = decodeLog(bytes)
  expect(log.records[0]?.value.text).toBe('x\ufffdy')
  expect(log.notes).toEqual([{ code: 'invalid_utf8', line: 2, offset: header.length, length: log.records[0]?.length }])
})

test('I2 a checksum that does not hold in valid JSON is a note: another tool touched the line', () => {
  const bytes = concat([header, encodeLine(entry('a'))])
  bytes[bytes.lastIndexOf(0x68)] = 0x48
  expect(decode(bytes)).toEqual({ header: true, ids: ['a'], skipped: [], notes: ['crc_mismatch@2'] })
})

test('numbers beyond 2^53 and duplicate keys are read as JSON.parse reads them', () => {
  const { records } = decodeLog(encoder.encode('{"type":"x","n":9007199254740993,"id":"a","id":"b"}\n'))
  expect(records[0]?.value).toEqual({ type: 'x', n: 2 ** 53, id: 'b' })
})

test('a line too long to be parsed is reported, and only that line is lost', () => {
  const long = line('long', { text: 'x'.repeat(500) })
  const log = decodeLog(encoder.encode(`${head}${long}\n${line('a')}\n`), { maxLineBytes: 400 })
  expect(log.records.map((record) => record.value.id)).toEqual(['a'])
  expect(log.skipped.map((range) => range.reason)).toEqual(['too_long'])
})

test('a file that is no log at all does not fill memory with findings', () => {
  const log = decodeLog(encoder.encode('x\n'.repeat(10_010)))
  expect([log.skipped.length, log.unlisted]).toEqual([10_000, 10])
})

test('I2 every byte is in a record, a line end or a skipped range, and in one only', () => {
  fc.assert(
    fc.property(anyLog, (bytes) => {
      const log = decodeLog(bytes)
      const extra = log.notes.filter((note) => note.code === 'extra_header')
      const parts = [log.header, log.titleSlot].filter((part) => part !== undefined)
      const covered = new Uint8Array(bytes.length)
      for (const { offset, length } of [...parts, ...log.records, ...extra, ...log.skipped]) {
        for (let at = offset; at < offset + length; at++) covered[at]!++
      }
      const isLineEnd = (at: number) => bytes[at] === 0x0a || (bytes[at] === 0x0d && bytes[at + 1] === 0x0a)
      expect(covered.findIndex((count, at) => count !== (isLineEnd(at) ? 0 : 1))).toBe(-1)
    }),
    { numRuns: runs(300) },
  )
})
