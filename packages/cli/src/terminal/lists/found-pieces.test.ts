import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foundPieces } from './found-pieces.ts'

const shown = (text: string, ...words: string[]) =>
  foundPieces(text, words)
    .map((piece) => (piece.isFound ? `[${piece.text}]` : piece.text))
    .join('')

test('all places of all words are found, whatever their case', () => {
  expect(shown('Boats and a boat', 'boat', 'ts')).toBe('[Boats] and a [boat]')
  expect(shown('去罗马吗', '罗马')).toBe('去[罗马]吗')
  expect(shown('nothing', 'x')).toBe('nothing')
  expect(shown('', 'x')).toBe('')
})

test('property: no character is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.string({ minLength: 1 })), (text, words) => {
      const pieces = foundPieces(
        text,
        words.map((word) => word.toLowerCase()),
      )
      expect(pieces.map((piece) => piece.text).join('')).toBe(text)
    }),
  )
})
