import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aroundChanges, diffLines } from './line-diff.ts'

const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'))

test('a diff leads from the one text to the other, whatever they are', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after)
      const without = (mark: string) => lines.filter((line) => line.mark !== mark).map((line) => line.text)
      expect(without('+').join('\n')).toBe(before)
      expect(without('-').join('\n')).toBe(after)
    }),
    { numRuns: 200 },
  )
})

test('what both have is not told as changed', () => {
  expect(diffLines('a\nb\nc', 'a\nx\nc').map(({ mark, text: line }) => mark + line)).toEqual([' a', '-b', '+x', ' c'])
  expect(diffLines('same', 'same')).toEqual([{ mark: ' ', text: 'same' }])
})

test('long texts are compared at once, and far from a change nothing is shown', () => {
  const long = Array.from({ length: 50_000 }, (_, i) => `line ${i}`)
  const shown = aroundChanges(diffLines(long.join('\n'), long.with(25_000, 'other').join('\n')), 1)
  expect(shown.map((line) => line && line.mark + line.text)).toEqual([
    undefined,
    ' line 24999',
    '-line 25000',
    '+other',
    ' line 25001',
    undefined,
  ])
  expect(diffLines(long.join('\n'), long.toReversed().join('\n')).length).toBeGreaterThan(50_000)
})
