import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemoryStorage } from '../storage/memory-storage.ts'
import { runs } from '../testing/runs.ts'
import { encodeSlot, makeSlot, readSlot } from './title-slot.ts'

const TIME = '2026-01-01T00:00:00.000Z'

function readBack(bytes: Uint8Array) {
  const storage = createMemoryStorage()
  const file = storage.openWriter('/log', { flags: 'w' })
  file.writeSync(bytes)
  return readSlot(file)
}

test('a slot has 256 bytes whatever the title, and says as much of it as fits', () => {
  const title = fc.string({
    unit: fc.oneof(fc.string({ unit: 'binary', maxLength: 2 }), fc.constantFrom('🦊', '"', '\\', '\n', '\ud800', 'é')),
    maxLength: 300,
  })
  fc.assert(
    fc.property(title, (text) => {
      const slot = makeSlot(text, TIME)
      const bytes = encodeSlot(slot)
      expect(bytes).toHaveLength(256)
      expect(readBack(bytes)).toEqual(slot)
      expect(text.startsWith(slot.title)).toBe(true)
      const next = [...text.slice(slot.title.length)][0]
      // What was left out would not have fitted.
      if (next !== undefined) expect(Buffer.byteLength(JSON.stringify(next)) - 2).toBeGreaterThan(slot.pad.length)
      expect(slot.title.isWellFormed() || !text.isWellFormed()).toBe(true)
    }),
    { numRuns: runs(200) },
  )
})

test.each([
  ['nothing', ''],
  ['a shorter line', '{"type":"title","v":1,"title":"x","pad":""}\n'],
  ['a longer line', `{"type":"title","v":1,"title":"x","pad":"${' '.repeat(300)}"}\n`],
  [
    'another version',
    Buffer.from(encodeSlot(makeSlot('x', TIME)))
      .toString()
      .replace('"v":1', '"v":2'),
  ],
  [
    'no JSON',
    Buffer.from(encodeSlot(makeSlot('x', TIME)))
      .toString()
      .replace('{', '['),
  ],
  [
    'no title',
    Buffer.from(encodeSlot(makeSlot('x', TIME)))
      .toString()
      .replace('"title":"x"', '"title":[1]'),
  ],
  ['something else', `${JSON.stringify('x'.repeat(253))}\n`],
])('I4 %s is no slot to write into', (_name, text) => {
  expect(readBack(Buffer.from(text))).toBeUndefined()
})
