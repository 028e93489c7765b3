import { expect, test } from 'vitest'
import { markMatches, withoutMarkdown } from './mark-matches.ts'

test('what was found is marked, and all of the text is there', () => {
  const pieces = markMatches('a cache, cached', [
    [9, 14],
    [2, 7],
  ])
  expect(pieces.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(['cache', 'cache'])
  expect(pieces.map(({ text }) => text).join('')).toBe('a cache, cached')
})

test('places outside of the text or over another are passed over', () => {
  const odd = [
    [0, 3],
    [1, 2],
    [5, 99],
    [2, 2],
  ] as const
  expect(markMatches('abcdef', odd)).toEqual([
    { text: 'abc', isMatch: true },
    { text: 'def', isMatch: false },
  ])
  expect(markMatches('', [[0, 1]])).toEqual([])
})

test('a hit is shown without markdown, and what was looked for stays as it was', () => {
  const text = 'fit: - **LRU** keeps `last`\n## Then | a | b |\n|---|:--:|\n| *x* | #5 2*3'
  const plain = withoutMarkdown(markMatches(text, [[9, 12]]))
  expect(plain.map((piece) => piece.text).join('')).toBe('fit: - LRU keeps last\nThen  a  b \n\n x  #5 2*3')
  const stars = withoutMarkdown(markMatches('a **b**', [[2, 7]]))
  expect(stars).toContainEqual({ text: '**b**', isMatch: true })
})
