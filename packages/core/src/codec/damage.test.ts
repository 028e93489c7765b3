import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyGarbage, anyRecord, concat, header } from '../testing/arbitrary-bytes.ts'
import { runs } from '../testing/runs.ts'
import { decodeLog } from './decode.ts'
import { encodeLine } from './encode.ts'
import { scanLog } from './scan.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A small log with every shape of line; each entry checksummed. */
const lines = [
  header,
  ...[
    { type: 'message', message: { role: 'user', content: [{ type: 'text', text: 'List "src" {now}\n' }] } },
    {
      type: 'message',
      message: { role: 'assistant', content: [{ type: 'toolCall', id: 't', name: 'ls', arguments: { p: 'é' } }] },
    },
    { type: 'custom', customType: 'treeline/edit', data: { ops: [{ op: 'mute', id: '1' }], inverse: [] } },
    { type: 'label', targetId: '1', label: 'L' },
    { type: 'compaction', summary: 's', firstKeptEntryId: '1', tokensBefore: 9 },
    { type: 'message', message: { role: 'user', content: 'thanks' } },
  ].map((body, at) =>
    encodeLine({
      ...body,
      id: `${at + 1}`,
      parentId: at === 0 ? null : `${at}`,
      timestamp: '2026-01-15T10:00:04.250Z',
    }),
  ),
]
const log = concat(lines)
const starts = lines.map((_, at) => concat(lines.slice(0, at)).length)

/** Offset and id of every row of a scan. */
function scanRows(bytes: Uint8Array): string[] {
  const { heads } = scanLog(bytes)
  return Array.from({ length: heads.count }, (_, row) => {
    const id = decoder.decode(heads.idBytes.subarray(heads.idStart(row), heads.idEnd[row * 2]))
    return `${heads.offset[row]} ${id}`
  })
}

const decodeRows = (bytes: Uint8Array): string[] =>
  decodeLog(bytes).records.map((record) => `${record.offset} ${record.value.id}`)

test('G1 any bytes are decoded and scanned without an error', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: 'binary' }).map((text) => encoder.encode(text)),
  )
  fc.assert(
    fc.property(bytes, (some) => {
      decodeLog(some)
      scanLog(some)
    }),
    { numRuns: runs(2000) },
  )
})

test('X1 a log cut at any byte keeps every complete line and reports the rest', () => {
  for (let cut = 0; cut <= log.length; cut++) {
    const bytes = log.subarray(0, cut)
    const complete = starts.flatMap((start, at) =>
      at > 0 && start + lines[at]!.length - 1 <= cut ? [`${start} ${at}`] : [],
    )
    expect(decodeRows(bytes), `cut at ${cut}`).toEqual(complete)
    expect(scanRows(bytes), `cut at ${cut}`).toEqual(complete)
    const torn = starts.some((start, at) => cut > start && cut < start + lines[at]!.length - 1)
    expect(decodeLog(bytes).skipped.map((range) => range.reason)).toEqual(torn ? ['torn'] : [])
    expect(scanLog(bytes).skipped).toEqual(decodeLog(bytes).skipped)
  }
})

test('I2 I3 ten thousand flipped bits: no line but the hit one is lost, and the hit is reported', () => {
  const random = mulberry32(20260115)
  for (let run = 0; run < 10_000; run++) {
    const at = Math.floor(random() * log.length)
    const bytes = log.slice()
    bytes[at]! ^= 1 << Math.floor(random() * 8)
    const hit = starts.findLastIndex((start) => start <= at)
    const end = starts[hit]! + lines[hit]!.length
    const isLineEnd = at === end - 1
    const untouched = starts.flatMap((start, n) => (n > 0 && (n !== hit || isLineEnd) ? [`${start} ${n}`] : []))

    const decoded = decodeLog(bytes)
    for (const rows of [decodeRows(bytes), scanRows(bytes)]) {
      if (!untouched.every((row) => rows.includes(row))) expect(rows, `bit at ${at}`).toEqual(untouched)
    }

    // A bit in the checksum's own field can leave a valid line without a checksum.
    const inChecksum = at >= end - 19 && at < end - 2
    const findings = decoded.notes.length + decoded.skipped.length
    if (findings === 0 && !inChecksum) expect.fail(`the flip at byte ${at} was not reported`)
  }
})

test('I3 every good record among garbage is kept, at its offset', () => {
  const piece = fc.record({
    good: anyRecord,
    before: fc.option(anyGarbage),
    /** Behind a record only what cannot go on a JSON value: `,` `]` `}` could make the record a part of it. */
    after: fc.option(
      fc.constantFrom('\0\0\0', 'garbage', '{"type":"mess', '{"type":"message","id":"x","parentId":null,"ti'),
    ),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    garbageLine: fc.option(anyGarbage),
  })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const parts: Uint8Array[] = [header]
      const expected: number[] = []
      for (const { good, before, after, lineEnd, garbageLine } of pieces) {
        // Behind torn bytes only an entry in the order all tools write can be told from a part of what was torn.
        const glue = before !== null && isHeadFirst(good)
        if (glue) parts.push(before)
        expected.push(concat(parts).length)
        parts.push(
          good,
          encoder.encode(`${after ?? ''}${lineEnd}`),
          garbageLine ?? new Uint8Array(0),
          encoder.encode('\n'),
        )
      }
      const found = new Set(decodeLog(concat(parts)).records.map((record) => record.offset))
      expect(expected.filter((offset) => !found.has(offset))).toEqual([])
    }),
    { numRuns: runs(500) },
  )
})

function isHeadFirst(record: Uint8Array): boolean {
  return /^\{"type":"[a-z_]+",("id":|"timestamp":|"customType":|"message":|"payload":)/.test(decoder.decode(record))
}

/** A small seeded generator, so that a failing run can be repeated. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
