import { expect, test, vi } from 'vitest'
import { encodeLine } from './encode.ts'
import { salvageLine } from './salvage.ts'

const encoder = new TextEncoder()
const line = (id: string, content: unknown = 'hi') =>
  JSON.stringify({
    type: 'message',
    id,
    parentId: null,
    timestamp: '2026-01-01T00:00:00.000Z',
    message: { role: 'user', content },
  })
const salvage = (text: string) => salvageText(text).map((piece) => piece.value.id)

function salvageText(text: string) {
  const bytes = encoder.encode(text)
  return salvageLine(bytes, 0, bytes.length)
}

const blocks = [
  { type: 'text', text: 'a "quoted" { brace' },
  {
    type: 'toolCall',
    id: 'call_1',
    name: 'edit',
    arguments: { schema: { type: 'object', id: 'x', timestamp: 'now' } },
  },
  { type: 'image', data: 'AAAA', mimeType: 'image/png' },
]

test.each([
  ['two records', `${line('a')}${line('b')}`, ['a', 'b']],
  ['three with spaces and NULs between', `${line('a')} ${line('b')}\0\0${line('c')}`, ['a', 'b', 'c']],
  ['a record and a torn one', `${line('a')}${line('b').slice(0, 60)}`, ['a']],
  ['a record and garbage', `${line('a')}garbage}]`, ['a']],
  ['a record and the comma of an array', `${line('a')},`, ['a']],
  ['NULs and a record', `${'\0'.repeat(600)}${line('a')}`, ['a']],
  ['garbage with brackets and a quote, and a record', `[1,{"x":"${line('a')}`, ['a']],
  ['a torn escape and a record', `{"type":"message","text":"\\${line('a')}`, ['a']],
  ['a tear inside the first key', `{"ty${line('a')}`, ['a']],
  ['a line feed lost to a flipped bit', `${line('a')}J${line('b')}`, ['a', 'b']],
  [
    'a torn record between good ones',
    `${line('a')}${line('lost').slice(0, 70)}${line('b')}${line('c')}`,
    ['a', 'b', 'c'],
  ],
  ['records with content that looks like structure', `${line('a', '{"type":"x"}}{')}${line('b', blocks)}`, ['a', 'b']],
])('X2 %s', (_name, text, ids) => {
  expect(salvage(text)).toEqual(ids)
})

test('X2 wherever a record is torn, one glued to it is kept, with its exact range', () => {
  const torn = line('lost', blocks)
  const good = line('a', blocks)
  for (let cut = 1; cut < torn.length; cut++) {
    const pieces = salvageText(torn.slice(0, cut) + good)
    expect(
      pieces.map(({ start, end }) => [start, end]),
      `cut at ${cut}`,
    ).toEqual([[cut, cut + good.length]])
  }
})

test('a content block of a torn line is never taken for an entry', () => {
  const torn = line('lost', blocks)
  for (let cut = 1; cut < torn.length; cut++) {
    expect(salvage(torn.slice(0, cut)), `torn at ${cut}`).toEqual([])
    expect(salvage(torn.slice(cut)), `start lost up to ${cut}`).toEqual([])
  }
})

test('headers and v1 entries, which have no parentId, are found too', () => {
  const header = '{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}'
  const v1 = '{"type":"message","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user"}}'
  const types = (text: string) => salvageText(text).map((piece) => piece.value.type)
  expect(types(`${line('lost').slice(0, 90)}${header}`)).toEqual(['session'])
  expect(types(`${v1}J${v1}${v1.slice(0, 30)}${v1}`)).toEqual(['message', 'message', 'message'])
})

test('a record where one is due needs no more than a type, as on a line of its own', () => {
  const types = (text: string) => salvageText(text).map((piece) => piece.value.type)
  expect(types('{"type":"x","n":1}{"type":"y","n":2}\0{"type":"z"}')).toEqual(['x', 'y', 'z'])
  expect(types('{"type":"x","n":1}garbage{"type":"y","n":2}')).toEqual(['x'])
})

test('brackets closed by braces and braces never opened do not confuse the next record', () => {
  expect(salvage(`]}{"a":[}]${line('a')}`)).toEqual(['a'])
  expect(salvage(`${'['.repeat(500)}${']'.repeat(499)}}${line('a')}`)).toEqual(['a'])
})

test('a piece carries the state of its checksum', () => {
  const entry = { type: 'x', id: 'a', parentId: null, timestamp: 't' }
  const sealed = new TextDecoder().decode(encodeLine(entry)).trimEnd()
  expect(salvageText(`{"torn":"${sealed}`).map(({ crc, value }) => [crc, value])).toEqual([['ok', entry]])
})

test('G1 what is too short to be a record is not parsed, however often a line has it', () => {
  const parse = vi.spyOn(JSON, 'parse')
  try {
    expect(salvage('}{'.repeat(1000))).toEqual([])
    expect(parse).not.toHaveBeenCalled()
    expect(salvageText('{"type":""}').map(({ value }) => value)).toEqual([{ type: '' }])
  } finally {
    parse.mockRestore()
  }
})

test('G1 hostile lines of ten megabytes cost no more than their length', () => {
  const size = 10_000_000
  const fill = (unit: string) => unit.repeat(Math.floor(size / unit.length))
  const levels = size / 20
  const lines = [
    fill('{"type":"'),
    fill('{"type":"a",'),
    fill('['),
    fill('"'),
    fill('\\"{'),
    fill('{"type":{}x'),
    fill('}{'),
    fill('{"type":"a","id":"b","parentId":null,"timestamp":"c"},'),
    `${'{"type":'.repeat(levels)}1${'}x'.repeat(levels)}`,
    `${'{"type":"a","b":'.repeat(levels)}1${'}'.repeat(levels)}x`,
  ]
  for (const text of lines) {
    const bytes = encoder.encode(text)
    const started = performance.now()
    salvageLine(bytes, 0, bytes.length)
    // Anything quadratic would take hours; the margin is for a busy machine.
    expect(performance.now() - started, text.slice(0, 30)).toBeLessThan(3000)
  }
})
