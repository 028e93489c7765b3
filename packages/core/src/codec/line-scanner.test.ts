import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { Kind, Role } from '../entry/kind.ts'
import { anyLog, concat, header } from '../testing/arbitrary-bytes.ts'
import { runs } from '../testing/runs.ts'
import { scanInChunks, tellScan } from '../testing/scan-rows.ts'
import { Heads } from './heads.ts'
import { createLineScanner, openLineScanner } from './line-scanner.ts'
import { HeadScanner, scanLog } from './scan.ts'

const encoder = new TextEncoder()
const FIXTURES = join(import.meta.dirname, '../../fixtures')
const TIME = '2026-01-15T10:00:04.250Z'
const QUICKLY = { openLines: openLineScanner, largeBytes: 1 } as const
const AFTER_HEADER = { startOffset: 1000 } as const

const head = (id: string, parentId: string | null = null, type = 'message', time = TIME) =>
  `{"type":"${type}","id":"${id}","parentId":${parentId === null ? 'null' : `"${parentId}"`},"timestamp":"${time}"`
const message = (id: string, parentId: string | null = null, text = 'hi', role = 'user') =>
  `${head(id, parentId)},"message":{"role":"${role}","content":"${text}"}}`

/** Both scanners say the same of these bytes, in one piece and in chunks. */
function expectSame(bytes: Uint8Array, sizes: readonly number[] = [bytes.length], options = {}): void {
  const expected = tellScan(scanLog(bytes, options))
  expect(tellScan(scanInChunks(bytes, sizes, { ...options, ...QUICKLY }))).toEqual(expected)
}

/** How many of the lines WebAssembly takes itself, until it meets another. */
function countTaken(lines: readonly string[]): number {
  const scanner = openLineScanner()!
  const heads = new Heads()
  scanner.scan(scanner.place(new Uint8Array(), encoder.encode(`${lines.join('\n')}\n`)), 0, heads, 0, 1)
  return heads.count
}

test('the usual lines are taken by WebAssembly, the others are left', () => {
  const usual = [
    message('0badcafe'),
    message('0badcaff', '0badcafe', 'text', 'assistant'),
    message('0199c0de-0000-7000-8000-000000000001', 'x'.repeat(255), 'text', 'alien'),
    `${head('a', 'b', 'custom')},"customType":"mine"}`,
    `${head('a', 'b', 'custom')},"customType":"treeline/attempt","data":{}}\r`,
    `${head('a', 'b', 'compaction')}}`,
    `${head('a', 'b', 'never_seen')},"x":"}{\\"type\\":\\" tI }{ parentId\\":"}`,
  ]
  expect(countTaken(usual)).toBe(usual.length)
  for (const other of [
    '',
    'garbage',
    message('a\\u0062'),
    message(''),
    message('é'),
    message('x'.repeat(256)),
    message('a').slice(0, -2),
    message('a', null, '"parentId":'),
    `${message('a')}${message('b')}`,
    `${head('a', 'b', 'session')}}`,
    `${head('a', 'b', 'label')},"targetId":"a"}`,
    `${head('a', 'b', 'model_change')}}`,
    `${head('a', 'b', 'custom')},"customType":"treeline/edit"}`,
    `${head('a', 'b', 'x', '2028-02-29T00:00:00.000Z')}}`,
    `${head('a', 'b', 'x', '2026-01-15')}}`,
  ]) {
    expect(countTaken([usual[0]!, other, usual[0]!]), other).toBe(1)
  }
})

test('I3 both scanners say the same of any bytes, whatever the chunks', () => {
  const sizes = fc.oneof(fc.constant([1]), fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 4 }))
  fc.assert(
    fc.property(anyLog, sizes, (bytes, chunks) => {
      expectSame(bytes)
      expectSame(bytes, chunks)
    }),
    { numRuns: runs(500) },
  )
})

test('I3 both scanners say the same of lines that are nearly usual', () => {
  const lines = concat([
    header,
    encoder.encode(`${message('0badcafe')}\n${message('b', '0badcafe', 'x', 'tool')}\r\n`),
    encoder.encode(`${head('c', 'b', 'custom')},"customType":"treeline/x"}\n${message('d')}}${message('e')}\n`),
  ])
  const change = fc.record({
    at: fc.nat(lines.length - 1),
    put: fc.oneof(
      fc.constantFrom(
        '',
        '"',
        '\\',
        '}',
        '}{"type":"',
        '"parentId":',
        '\n',
        '\r\n',
        '\u0000',
        '\ufeff',
        '"}{"type":"x',
      ),
      fc.string({ maxLength: 3 }),
    ),
    drop: fc.nat(12),
  })
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 400 }), (changes, size) => {
      const bytes = changes.reduce(
        (all, { at, put, drop }) => concat([all.subarray(0, at), encoder.encode(put), all.subarray(at + drop)]),
        lines,
      )
      expectSame(bytes)
      expectSame(bytes, [size])
    }),
    { numRuns: runs(2000) },
  )
})

test('both scanners say the same of every fixture, cut into two chunks', () => {
  for (const file of readdirSync(FIXTURES).filter((name) => name.endsWith('.jsonl'))) {
    const bytes = readFileSync(join(FIXTURES, file))
    const expected = tellScan(scanLog(bytes))
    for (let cut = 1; cut < bytes.length; cut += Math.ceil(bytes.length / 100)) {
      const scanner = new HeadScanner(QUICKLY)
      scanner.push(bytes.subarray(0, cut))
      scanner.push(bytes.subarray(cut))
      scanner.end()
      expect(tellScan(scanner), `${file} at ${cut}`).toEqual(expected)
    }
  }
})

test.each([
  ['second heads around a chunk border', `${message('a')}\n${message('b', 'a', '"}}{"type":"x"}')}\n${message('c')}\n`],
  ['a role that ends like a second head', `${head('a')},"message":{"role":"parentId":"x"}}\n${message('b')}\n`],
  ['a custom type that ends like one', `${head('a', 'b', 'custom')},"customType":"parentId":"x"}\n`],
  ['a run of NUL', `${message('a')}\n${'\u0000'.repeat(600)}\n${message('b')}\n`],
  ['a run of line ends', `${message('a')}\n${'\n'.repeat(600)}${'\r\n'.repeat(600)}${message('b')}\n`],
  ['a byte order mark', `\ufeff${message('a')}\n\ufeff${message('b')}\n`],
  ['a torn tail', `${message('a')}\n${message('b').slice(0, 100)}`],
  ['a whole last line without its end', `${message('a')}\n${message('b')}`],
])('both scanners say the same of %s', (_name, text) => {
  const bytes = encoder.encode(text)
  for (let size = 1; size <= bytes.length; size += bytes.length > 1000 ? 29 : 1) {
    expectSame(bytes, [size], AFTER_HEADER)
    expectSame(bytes, [size])
  }
})

test('every kind, role and day has the same row', () => {
  const days = Array.from(
    { length: 3000 },
    (_, i) => new Date(Date.UTC(0, 0, 1) + i * 86_400_000 * 97 + i * 12_345_678),
  )
  const early = ['0000-01-01', '0000-02-29', '0000-03-01', '0001-01-01', '0004-03-01', '0099-12-31', '0100-03-01']
  const odd = ['2026-02-29', '2026-04-31', '2026-00-10', '2026-13-10', '2026-10-00', '2026-1a-01', '2026-06-30']
  const times = [
    ...days.map((day) => day.toISOString()),
    ...[...early, ...odd].map((day) => `${day}T23:59:59.999Z`),
    ...['T24:00:00.000Z', 'T00:60:00.000Z', 'T00:00:60.000Z', 'T00:00:00.00:Z', 'T00:00:00,000Z', 'T00:00:00.000z'].map(
      (time) => `2026-06-30${time}`,
    ),
  ]
  const lines = [
    ...[...Object.keys(Kind), 'session', '', 'abc', 'toString'].map((type) => `${head('a', 'b', type)},"x":1}`),
    ...[...Object.keys(Role), 'hookMessage', '', 'abc', 'toString'].map((role) => message('a', 'b', 'x', role)),
    ...['', 'abc', 'treeline', 'treeline/', 'treeline/edit', 'treeline/edits', 'treeline/generation', 'xtreeline/'].map(
      (type) => `${head('a', 'b', 'custom')},"customType":"${type}"}`,
    ),
    ...times.map((time) => `${head('a', 'b', 'x', time)}}`),
    ...[0, 1, 7, 8, 15, 16, 17, 31, 32, 254, 255, 256, 300].map((size) => message('i'.repeat(size), 'p'.repeat(size))),
  ]
  expectSame(encoder.encode(`${lines.join('\n')}\n`), [100_000], AFTER_HEADER)
})

test('runs of lines for somebody else, short and long, between the usual ones', () => {
  const others = [
    '',
    'garbage',
    '{"id":"x","type":"custom","parentId":null}',
    `${head('a', 'b', 'label')},"targetId":"a"}`,
  ]
  const lines = Array.from({ length: 60 }, (_, run) => [
    ...Array.from({ length: run }, (_, i) => others[(run + i) % others.length]!),
    ...Array.from({ length: 1 + (run % 7) * 5 }, (_, i) => message(`${run}-${i}`)),
  ])
  const bytes = encoder.encode(`${lines.flat().join('\n')}\n`)
  for (const size of [bytes.length, 5000, 333]) expectSame(bytes, [size], AFTER_HEADER)
})

test('more rows and longer ids than the module holds at a time', () => {
  const short = Array.from({ length: 9000 }, (_, i) => `${head(`${i}`)}}`)
  const long = Array.from({ length: 2000 }, (_, i) => message(`${i}`.padStart(250, 'x'), `${i - 1}`.padStart(250, 'x')))
  expectSame(encoder.encode(`${[...short, ...long].join('\n')}\n`), [1_000_000], AFTER_HEADER)
})

test('lines longer than the memory: familiar, torn with a second head in it, too long to be parsed', () => {
  const text = 'x'.repeat(3_000_000)
  const torn = `${head('torn')},"message":{"role":"user","content":"${text}${message('c')}`
  const lines = [
    message('a'),
    message('long', 'a', text),
    message('b'),
    `{"text":"${text}","type":"x"}`,
    message('d', 'c', 'x'.repeat(262_144)),
    message('e'),
  ]
  const bytes = encoder.encode(`${lines.join('\n')}\n`)
  for (const size of [bytes.length, 524_288, 262_144, 100_001]) {
    expectSame(concat([bytes, encoder.encode(`${torn}\n`), bytes]), [size], AFTER_HEADER)
    expectSame(bytes, [size], { ...AFTER_HEADER, maxLineBytes: 500_000 })
  }
})

test('a chunk read where the scanner has room for it is not copied, and says the same', () => {
  const bytes = encoder.encode(Array.from({ length: 20_000 }, (_, i) => `${message(`${i}`)}\n`).join(''))
  const scanner = new HeadScanner({ ...AFTER_HEADER, ...QUICKLY })
  const room = scanner.room(bytes.length)
  expect(room).toBe(openLineScanner()!.input)
  for (let at = 0; at < bytes.length; at += room.length) {
    const part = bytes.subarray(at, at + room.length)
    room.set(part)
    scanner.push(room.subarray(0, part.length))
  }
  scanner.end()
  expect(tellScan(scanner)).toEqual(tellScan(scanLog(bytes, AFTER_HEADER)))
})

test('scans that take turns do not disturb each other', () => {
  const one = encoder.encode(Array.from({ length: 60 }, (_, i) => `${message(`one${i}`)}\n`).join(''))
  const two = encoder.encode(Array.from({ length: 60 }, (_, i) => `${message(`two${i}`, `two${i - 1}`)}\r\n`).join(''))
  const scanners = [new HeadScanner(QUICKLY), new HeadScanner(QUICKLY)] as const
  for (let at = 0; at < Math.max(one.length, two.length); at += 100) {
    scanners[0].push(one.subarray(at, at + 100))
    scanners[1].push(two.subarray(at, at + 100))
  }
  expect(scanners.map(tellScan)).toEqual([tellScan(scanLog(one)), tellScan(scanLog(two))])
})

test('without WebAssembly everything is scanned all the same', () => {
  vi.stubGlobal('WebAssembly', undefined)
  try {
    expect(createLineScanner()).toBeUndefined()
    const bytes = encoder.encode(`${message('a')}\n${message('b', 'a')}\n`)
    const options = { openLines: createLineScanner, largeBytes: 1 }
    expect(tellScan(scanLog(bytes, options))).toEqual(tellScan(scanLog(bytes)))
    expect(new HeadScanner(options).room(1000).length).toBe(1000)
  } finally {
    vi.unstubAllGlobals()
  }
})
