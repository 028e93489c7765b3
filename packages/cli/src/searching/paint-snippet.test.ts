import fc from 'fast-check'
import { expect, test } from 'vitest'
import { render } from '../output/style.ts'
import { widthOf } from '../output/table.ts'
import { paintSnippet } from './paint-snippet.ts'

test('matches are painted where they are', () => {
  const snippet = {
    text: 'a flaky test, a flaky build',
    matches: [
      [2, 7],
      [16, 21],
    ] as const,
  }
  expect(render(paintSnippet(snippet, 80), true)).toBe(
    'a \u001b[7mflaky\u001b[27m test, a \u001b[7mflaky\u001b[27m build',
  )
  expect(render(paintSnippet(snippet, 80), false)).toBe('a flaky test, a flaky build')
})

test('a long snippet is cut, also within a match', () => {
  const snippet = { text: 'a flaky test', matches: [[2, 7]] as const }
  expect(render(paintSnippet(snippet, 5), true)).toBe('a \u001b[7mfl\u001b[27m…')
  expect(render(paintSnippet({ text: '東京タワー', matches: [[0, 2]] }, 5), false)).toBe('東京…')
})

test('K4 whatever is in a snippet, it stays on one line, within the columns, and drives no terminal', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', ' ', '\u001b', '[', '3', 'm', '\n', '\u202e', '東', '👍', '\u0301', '\ud800'),
  })
  fc.assert(
    fc.property(text, fc.nat(30), fc.nat(30), fc.integer({ min: 4, max: 40 }), (said, a, b, columns) => {
      const from = Math.min(a, b, said.length)
      const to = Math.min(Math.max(a, b), said.length)
      const shown = render(paintSnippet({ text: said, matches: from < to ? [[from, to]] : [] }, columns), false)
      expect(shown).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
      expect(widthOf(shown)).toBeLessThanOrEqual(columns)
    }),
    { numRuns: 200 },
  )
})
