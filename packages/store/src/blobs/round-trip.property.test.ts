import type { Entry } from '@treeline/core'
import { encodeLine } from '@treeline/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryBlobs } from '../testing/memory-blobs.ts'
import { runs } from '../testing/runs.ts'
import { externalise, needsExternalising } from './externalise.ts'
import { decodeText, encodeText } from './full-text.ts'
import { resolveBlobs } from './restore.ts'

const hostileUnit = fc.constantFrom('a', '\n', '\0', 'ä', '語', '😀', '\ud800', '\udc00', '\ufeff', '\u00ed')
const text = fc.oneof(fc.string({ unit: hostileUnit }), fc.string({ unit: 'binary' }))
const longText = fc
  .record({ head: text, unit: fc.constantFrom('x', 'ab\n', '😀', '\ud800', 'ä\udc00'), tail: text, extra: fc.nat(100) })
  .map(({ head, unit, tail, extra }) => head + unit.repeat(Math.ceil((499_900 + extra) / unit.length)) + tail)
const base64 = fc.uint8Array({ maxLength: 1500, minLength: 700 }).map((bytes) => Buffer.from(bytes).toString('base64'))
const image = fc.record({
  type: fc.constant('image'),
  data: fc.oneof(
    base64,
    text,
    base64.map((data) => data.slice(1)),
  ),
  mimeType: fc.constant('image/png'),
})
const counted = fc.oneof(text, longText).map((content) => ({ content, lineCount: content.split('\n').length }))
const key = fc.constantFrom('content', 'text', 'data', 'a/b', '~1', '', '__proto__', '0', 'partialJson', 'jsonlEvents')

const { value } = fc.letrec<{ value: unknown; object: object; array: unknown[] }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: text, weight: 4 },
    { arbitrary: longText, weight: 1 },
    { arbitrary: fc.constantFrom(null, 0, -1.5, true), weight: 2 },
    { arbitrary: image, weight: 2 },
    { arbitrary: counted, weight: 1 },
    { arbitrary: tie('object'), weight: 4 },
    { arbitrary: tie('array'), weight: 3 },
  ),
  object: fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
  array: fc.oneof(fc.array(tie('value'), { maxLength: 3 }), fc.array(image, { maxLength: 3 })),
}))

const entry = fc
  .record({ message: value, data: value, summary: fc.oneof(text, longText) })
  .map((fields): Entry => ({ type: 'message', id: 'aaaaaaaa', parentId: null, timestamp: 't', ...fields }))

function withoutTransient(original: Entry): string {
  return JSON.stringify(original, (name, member) =>
    name === 'partialJson' || name === 'jsonlEvents' ? undefined : member,
  )
}

test('S31 S32 what is restored is what was stored, to the byte, less the transient fields', async () => {
  await fc.assert(
    fc.asyncProperty(entry, async (original) => {
      const before = JSON.stringify(original)
      const blobs = memoryBlobs()
      const stored = await externalise(original, blobs.put)
      expect(JSON.stringify(original) === before).toBe(true)
      // By way of the log, as in life.
      const { crc: _, ...read } = JSON.parse(Buffer.from(encodeLine(stored)).toString()) as Entry
      expect(needsExternalising(original) || stored === original).toBe(true)
      expect(Object.keys(read.treelineFull ?? {}).length > 0 || !Object.hasOwn(read, 'treelineFull')).toBe(true)
      const { entry: restored, unresolved } = await resolveBlobs(read as Entry, blobs.read)
      expect(unresolved).toEqual([])
      expect(JSON.stringify(restored) === withoutTransient(original)).toBe(true)
    }),
    { numRuns: runs(40) },
  )
})

test('S31 no string is stored longer than the limit, and storing twice is storing once', async () => {
  await fc.assert(
    fc.asyncProperty(entry, async (original) => {
      const { put } = memoryBlobs()
      const stored = await externalise(original, put)
      let longest = 0
      JSON.stringify(stored, (_name, member) => {
        if (typeof member === 'string') longest = Math.max(longest, member.length)
        return member
      })
      expect(longest).toBeLessThanOrEqual(500_000)
      expect(await externalise(stored, put)).toBe(stored)
    }),
    { numRuns: runs(20) },
  )
})

test('text survives as bytes, lone surrogates too, and is plain UTF-8 without them', () => {
  fc.assert(
    fc.property(text, (original) => {
      const bytes = encodeText(original)
      expect(decodeText(bytes)).toBe(original)
      if (original.isWellFormed()) expect(Buffer.compare(bytes, Buffer.from(original))).toBe(0)
    }),
    { numRuns: runs(1000) },
  )
})

test('G1 any bytes decode to some text', () => {
  const bytes = fc.tuple(fc.constantFrom([], [0xff, 0xfe]), fc.uint8Array())
  fc.assert(
    fc.property(bytes, ([mark, rest]) => {
      expect(decodeText(Uint8Array.of(...mark, ...rest))).toBeTypeOf('string')
    }),
  )
})
