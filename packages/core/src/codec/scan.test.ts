import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Kind, Role } from '../entry/kind.ts'
import { anyLog, concat, header } from '../testing/arbitrary-bytes.ts'
import { runs } from '../testing/runs.ts'
import { rowsOf, scanInChunks, tellScan } from '../testing/scan-rows.ts'
import { decodeLog } from './decode.ts'
import { encodeLine } from './encode.ts'
import { headOf } from './head.ts'
import { Heads, ParentForm } from './heads.ts'
import { parseObject } from './parse.ts'
import { HeadScanner, scanLog } from './scan.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const TIME = '2026-01-15T10:00:04.250Z'
const head = decoder.decode(header)
const message = (id: string, parentId: string | null, more: object = {}) =>
  JSON.stringify({ type: 'message', id, parentId, timestamp: TIME, message: { role: 'user', content: 'hi', ...more } })

const scanText = (text: string) => rowsOf(scanLog(encoder.encode(`${head}${text}`)).heads)

test('the head of a message is read from its first bytes', () => {
  const bytes = encoder.encode(`${head}${message('a', null)}\n${message('b', 'a')}\n`)
  const scanner = scanLog(bytes)
  expect(scanner.header?.value.id).toBe('0199c0de-0000-7000-8000-000000000001')
  expect(rowsOf(scanner.heads)).toEqual([
    {
      kind: Kind.message,
      role: Role.user,
      id: 'a',
      parent: null,
      timeMs: Date.parse(TIME),
      offset: header.length,
      length: message('a', null).length,
      line: 2,
      body: undefined,
    },
    expect.objectContaining({ id: 'b', parent: 'a', line: 3, offset: header.length + message('a', null).length + 1 }),
  ])
})

test('a familiar line is not parsed: a body that is no JSON still gives its row, and reading it will say so', () => {
  const line = message('a', null).replace('"hi"', '\u0000 not json')
  const scanner = scanLog(encoder.encode(`${head}${line}\n`))
  expect(rowsOf(scanner.heads)).toMatchObject([{ id: 'a', length: line.length }])
  expect(scanner.skipped).toEqual([])
  const inBytes = scanInChunks(encoder.encode(`${head}${line}\r\n`), [1])
  expect([rowsOf(inBytes.heads), inBytes.skipped]).toEqual([rowsOf(scanner.heads), []])
})

test('a second header is never an entry, even with the head of one', () => {
  const line = `{"type":"session","id":"s2","parentId":null,"timestamp":"${TIME}","cwd":"/"}`
  const scanner = scanLog(encoder.encode(`${head}${line}\n`))
  expect([scanner.heads.count, scanner.notes[0]?.code]).toEqual([0, 'extra_header'])
})

test('an id of broken UTF-8 is the one a decode gives', () => {
  const bytes = encoder.encode(`${head}${message('a?', null)}\n${message('b\u00e9', null)}\n`)
  bytes[bytes.indexOf(0x3f, header.length)] = 0xe9
  expect(rowsOf(scanLog(bytes).heads).map((row) => row.id)).toEqual(['a\ufffd', 'b\u00e9'])
})

test('kinds the tree reads come with their body; other kinds without', () => {
  const base = { id: 'a', parentId: null, timestamp: TIME }
  const rows = [
    { type: 'custom', ...base, customType: 'treeline/edit', data: { ops: [] } },
    { type: 'custom', ...base, customType: 'treeline/generation', data: { parentId: 'x' } },
    { type: 'custom', ...base, customType: 'treeline/attempt' },
    { type: 'custom', ...base, customType: 'mine' },
    { type: 'label', ...base, targetId: 'x', label: 'L' },
    { type: 'session_info', ...base, name: 'N' },
    { type: 'title_change', ...base, title: 'T' },
    { type: 'model_change', ...base },
    { type: 'never_seen', ...base },
  ]
  const scanner = scanLog(concat([header, ...rows.map((row) => encodeLine(row))]))
  const found = rowsOf(scanner.heads)
  expect(found.map((row) => row.kind)).toEqual([
    Kind.edit,
    Kind.generation,
    Kind.treeline,
    Kind.custom,
    Kind.label,
    Kind.session_info,
    Kind.title_change,
    Kind.model_change,
    Kind.other,
  ])
  expect(found.map((row) => row.body)).toEqual(rows.map((row, at) => ([0, 1, 4, 5, 6].includes(at) ? row : undefined)))
})

test('roles are known by name, the old spelling included', () => {
  const roles = ['user', 'assistant', 'toolResult', 'bashExecution', 'fileMention', 'hookMessage', 'none', 'alien']
  const text = roles.map((role) => message('a', null).replace('"user"', `"${role}"`)).join('\n')
  expect(scanText(`${text}\n`).map((row) => row.role)).toEqual([
    Role.user,
    Role.assistant,
    Role.toolResult,
    Role.bashExecution,
    Role.fileMention,
    Role.custom,
    Role.other,
    Role.other,
  ])
})

test.each([
  [
    "Pi's custom entries, with ids last",
    `{"type":"custom","customType":"x","data":{},"id":"a","parentId":"p","timestamp":"${TIME}"}`,
  ],
  ['another key order', `{"id":"a","type":"model_change","timestamp":"${TIME}","parentId":"p"}`],
  ['white space', `{ "type": "x", "id": "a", "parentId": "p", "timestamp": "${TIME}" }`],
  ['an escape in the id', `{"type":"x","id":"\\u0061","parentId":"p","timestamp":"${TIME}"}`],
  [
    'a message whose role comes late',
    `{"type":"message","id":"a","parentId":"p","timestamp":"${TIME}","message":{"content":"","role":"user"}}`,
  ],
  ['a timestamp with an offset', `{"type":"x","id":"a","parentId":"p","timestamp":"2026-01-15T11:00:04.250+01:00"}`],
])('an unfamiliar shape gives the same row: %s', (_name, line) => {
  expect(scanText(`${line}\n`)).toMatchObject([{ id: 'a', parent: 'p', timeMs: Date.parse(TIME), length: line.length }])
})

test('v1 entries have rows without id and parent', () => {
  const rows = scanText('{"type":"message","timestamp":"2025-11-03T08:00:00.000Z","message":{"role":"user"}}\n')
  expect(rows).toMatchObject([{ kind: Kind.message, role: Role.user, id: undefined, parent: undefined }])
  const { heads } = scanLog(encoder.encode('{"type":"x","id":5,"parentId":5}\n'))
  expect([heads.hasId[0], heads.parentForm[0], heads.timeMs[0]]).toEqual([0, ParentForm.missing, Number.NaN])
})

test.each([
  ['two records', `${message('a', null)}${message('b', 'a')}\n`, ['a', 'b']],
  ['a record glued to a torn one', `${message('lost', null).slice(0, -9)}${message('a', null)}\n`, ['a']],
  ['a torn record that ends in a brace', `${message('a', null)}{"type":"custom","data":{}\n`, ['a']],
  ['an entry and a header', `${message('a', null)}${head}`, ['a']],
  ['a nested parentId, which is only suspicious', `${message('a', null, { details: { parentId: 1 } })}\n`, ['a']],
])('I3 a line that may hold more than one record is parsed: %s', (_name, text, ids) => {
  expect(scanText(text).map((row) => row.id)).toEqual(ids)
})

test('a scan says what a decode says, whatever the chunks', () => {
  const sizes = fc.oneof(fc.constant([1]), fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 4 }))
  fc.assert(
    fc.property(anyLog, sizes, (bytes, chunks) => {
      const scanner = scanLog(bytes)
      expect(tellScan(scanInChunks(bytes, chunks))).toEqual(tellScan(scanner))
      expectSameAsDecode(bytes, scanner)
    }),
    { numRuns: runs(500) },
  )
})

/**
 * The one exception to "a scan equals a decode": a line that starts with a familiar head, ends in `}` and shows no
 * second head, but is not one valid record. It is one row here, and damage when its body is read. Notes about bodies
 * (checksum, UTF-8) are made for the lines a scan parses.
 */
function expectSameAsDecode(bytes: Uint8Array, scanner: HeadScanner): void {
  const log = decodeLog(bytes)
  const expected = new Heads()
  for (const record of log.records) expected.push(headOf(record))
  const unread = new Set<number>()
  for (const row of rowsOf(scanner.heads)) {
    if (parseObject(bytes, row.offset, row.offset + row.length).ok) continue
    expect(bytes[row.offset - 1]).toBe(0x0a)
    expect(bytes[row.offset + row.length - 1]).toBe(0x7d)
    expect(unread).not.toContain(row.line)
    unread.add(row.line)
  }
  const elsewhere = (found: { readonly line: number }) => !unread.has(found.line)
  expect(rowsOf(scanner.heads).filter(elsewhere)).toEqual(rowsOf(expected).filter(elsewhere))
  expect(scanner.skipped).toEqual(log.skipped.filter(elsewhere))
  expect(scanner.header).toEqual(log.header)
  expect(scanner.titleSlot).toEqual(log.titleSlot)
  const ofHeaders = (note: { readonly code: string }) => note.code.endsWith('_header')
  expect(scanner.notes.filter(ofHeaders)).toEqual(log.notes.filter(elsewhere).filter(ofHeaders))
  for (const note of scanner.notes) expect(log.notes).toContainEqual(note)
}

test('a damaged body is the only thing a scan leaves to the reader', () => {
  const bytes = encoder.encode(`${head}${message('a', null)}\n${message('b', 'a')}\n`)
  for (let at = header.length; at < bytes.length; at++) {
    for (const byte of [0x0a, 0x22, 0x7b, 0x7d, 0x5c, 0x00]) {
      const damaged = bytes.slice()
      damaged[at] = byte
      expectSameAsDecode(damaged, scanLog(damaged))
    }
  }
})

test('a very long line in many chunks is neither parsed nor joined', () => {
  const long = message('long', null).replace('"hi"', `"${'\u0001'.repeat(5_000_000)}"`)
  const bytes = encoder.encode(`${head}${message('a', null)}\n${long}\r\n${message('b', 'long')}\n`)
  // Raw control characters are not JSON: a parse would report damage.
  const scanner = scanInChunks(bytes, [262_144])
  expect(rowsOf(scanner.heads)).toMatchObject([{ id: 'a' }, { id: 'long', length: long.length }, { id: 'b', line: 4 }])
  expect(scanner.skipped).toEqual([])
})

test('I3 a second record in a very long line is found, also across the seams of its blocks', () => {
  const block = 262_144
  const start = message('lost', null).replace('"hi"}}', '"')
  for (const shift of [-30, -11, -10, -9, -8, -5, -1, 0, 1, 7, 100]) {
    const torn = start + 'x'.repeat(block - start.length - '{"type":"message","id":"a",'.length + shift)
    const bytes = encoder.encode(`${head}${torn}${message('a', null)}\n`)
    expect(rowsOf(scanInChunks(bytes, [65_536]).heads).map((row) => row.id)).toEqual(['a'])
  }
})

test('a line too long to be parsed keeps its row if its head is familiar, and is reported if not', () => {
  const text = 'x'.repeat(600_000)
  const bytes = encoder.encode(
    `${head}${message('a', null, { text })}\n{"text":"${text}","type":"x"}\n${message('b', 'a')}\n`,
  )
  for (const chunks of [[bytes.length], [10_000]]) {
    const scanner = scanInChunks(bytes, chunks, { maxLineBytes: 500_000 })
    expect(rowsOf(scanner.heads).map((row) => row.id)).toEqual(['a', 'b'])
    expect(scanner.skipped).toMatchObject([{ reason: 'too_long', line: 3, length: 600_022 }])
  }
})

test('I2 a line too long to be parsed says the same in any chunks, also with a second head in it', () => {
  const block = 262_144
  const start = message('lost', null).replace('"hi"}}', '"')
  for (const maxLineBytes of [1000, 500_000]) {
    for (const at of [2000, block - 30, block - 8, block, block + 5, 2 * block - 11, 3 * block]) {
      const torn = `${start}${'x'.repeat(at - start.length)}${message('a', null, { text: 'y'.repeat(block) })}`
      const line = `${message('b', null, { text: 'z'.repeat(3 * block) })}`
      const bytes = encoder.encode(`${head}${torn}\n${line}\n${torn}\r\n${message('c', 'b')}\n`)
      const whole = tellScan(scanLog(bytes, { maxLineBytes }))
      const tooLong = at > 100_000 || maxLineBytes === 1000
      expect(whole.rows.map((row) => row.id)).toEqual(tooLong ? ['b', 'c'] : ['a', 'b', 'a', 'c'])
      for (const chunks of [[10_007], [block], [block, 1, 3, 11], [bytes.length - 1]])
        expect(tellScan(scanInChunks(bytes, chunks, { maxLineBytes }))).toEqual(whole)
    }
  }
})

test('a scan goes on where an earlier one ended', () => {
  const bytes = encoder.encode(`${head}${message('a', null)}\n${message('b', 'a')}\n${message('c', 'b')}\n`)
  for (let cut = header.length; cut <= bytes.length; cut++) {
    const first = new HeadScanner()
    first.push(bytes.subarray(0, cut))
    const { heads, resumeOffset: startOffset, resumeLine: startLine } = first
    const second = new HeadScanner({ heads, startOffset, startLine })
    second.push(bytes.subarray(startOffset))
    second.end()
    expect(rowsOf(heads)).toEqual(rowsOf(scanLog(bytes).heads))
    expect([second.notes, second.bytesSeen, second.resumeOffset, second.resumeLine]).toEqual([
      [],
      bytes.length,
      bytes.length,
      5,
    ])
  }
})
