import { expect, test } from 'vitest'
import { cutText } from './cut-text.ts'

test('what has room stays whole, what has none ends with dots', () => {
  expect(cutText('short', 200, 12)).toBe('short')
  expect(cutText('a sentence that is much too long for a box', 60, 12)).toMatch(/^a sent.*…$/)
})

test('a line that is not the last ends after a word, and no character is cut in two', () => {
  expect(cutText('several words in a row', 70, 12, false)).toBe('several ')
  expect(cutText('😀😀😀😀😀😀😀😀', 20, 12)).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
})

test('wide characters take twice the room', () => {
  expect(cutText('解释归并排序的原理', 72, 12).length).toBeLessThanOrEqual(7)
})
