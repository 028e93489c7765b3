import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyDelta } from './apply-delta.ts'

test('a piece that fits is added, one that is known changes nothing, one that leaves a gap is refused', () => {
  expect(applyDelta('ab', { contentChunk: 'cd', offset: 2 })).toBe('abcd')
  expect(applyDelta('abcd', { contentChunk: 'bc', offset: 1 })).toBe('abcd')
  expect(applyDelta('abc', { contentChunk: 'cd', offset: 2 })).toBe('abcd')
  expect(applyDelta('ab', { contentChunk: 'd', offset: 3 })).toBeUndefined()
})

test('property: however pieces overlap, the text comes out as it was said', () => {
  const said = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 })
  const steps = fc.array(fc.record({ back: fc.nat(10), length: fc.nat(10) }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(said, steps, (whole, moves) => {
      let text = ''
      for (const { back, length } of moves) {
        const offset = Math.max(0, text.length - back)
        text = applyDelta(text, { contentChunk: whole.slice(offset, offset + length), offset })!
        expect(whole.startsWith(text)).toBe(true)
      }
    }),
  )
})
