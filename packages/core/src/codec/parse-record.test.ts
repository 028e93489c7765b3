import { expect, test } from 'vitest'
import { encodeLine } from './encode.ts'
import { parseRecord } from './parse-record.ts'

const entry = { type: 'x', id: 'a1', parentId: null, timestamp: 't', text: 'é' }
const record = encodeLine(entry).slice(0, -1)
const encode = (text: string) => new TextEncoder().encode(text)

test('a record read by its range is the entry, with the state of its checksum', () => {
  expect(parseRecord(record, { id: 'a1' })).toEqual({ entry, crc: 'ok', clean: true })
  expect(parseRecord(encode('{"type":"x","id":"\\ud800"}'), { id: '\ufffd' }).clean).toBe(true)
  expect(parseRecord(encode(JSON.stringify(entry)))).toEqual({ entry, crc: 'none', clean: true })
})

test('I2 R2 bytes that are not the entry say which entry, where, and what to do', () => {
  const where = { id: 'a1', line: 7, offset: 1200 }
  expect(() => parseRecord(record.slice(0, -3), where)).toThrow(
    expect.objectContaining({
      code: 'damaged',
      details: { line: 7, offset: 1200 },
      message:
        'Entry a1 on line 7 at byte 1200 is not valid JSON. The bytes are kept; run `treeline doctor` to see what can be recovered.',
    }),
  )
  expect(() => parseRecord(encode('null'), where)).toThrow(/is not a JSON object/)
  expect(() => parseRecord(encode('{"type":5}'))).toThrow(/^An entry has no type\./)
  expect(() => parseRecord(encode(`{"type":"x","d":${'['.repeat(80)}${']'.repeat(80)}}`), where)).toThrow(
    /deeper than 64/,
  )
  expect(() => parseRecord(record, { id: 'b2' })).toThrow(/Entry b2 holds another entry \("a1"\)/)
})

test('I3 an entry with garbage glued to it is given, and said not to be clean', () => {
  const glued = new Uint8Array([...record, ...encode('\0 rest of another"}')])
  expect(parseRecord(glued, { id: 'a1' })).toEqual({ entry, crc: 'ok', clean: false })
  expect(() => parseRecord(glued, { id: 'b2' })).toThrow(/Entry b2 is not valid JSON/)
})
