import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RowHeights } from './row-heights.ts'

test('rows stand one under the other, whatever was measured and in whatever order rows came and went', () => {
  const key = fc.constantFrom(...'abcdefgh')
  const keys = fc.uniqueArray(key)
  const step = fc.oneof(
    fc.record({ keys }),
    fc.record({ key, height: fc.integer({ min: 1, max: 900 }) }),
    fc.record({ ask: fc.nat(8) }),
  )
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const heights = new RowHeights()
      const measured = new Map<string, number>()
      let shown: readonly string[] = []
      for (const one of steps) {
        if ('keys' in one) {
          shown = one.keys
          heights.setKeys(shown)
        } else if ('key' in one) {
          heights.measure(one.key, one.height)
          measured.set(one.key, one.height)
        } else heights.top(one.ask)
      }
      let top = 0
      for (const [i, each] of shown.entries()) {
        expect(heights.top(i)).toBe(top)
        expect(heights.indexAt(top)).toBe(i)
        top += measured.get(each) ?? 140
        expect(heights.indexAt(top - 0.5)).toBe(i)
      }
      expect(heights.total).toBe(top)
    }),
  )
})

test('a hundred thousand rows are counted once, and a growing last one costs nothing more', () => {
  const heights = new RowHeights()
  heights.setKeys(Array.from({ length: 100_000 }, (_, i) => `n${i}`))
  expect(heights.total).toBe(14_000_000)
  for (let height = 1; height <= 1_000; height++) {
    heights.measure('n99999', height)
    expect(heights.total).toBe(99_999 * 140 + height)
  }
})
