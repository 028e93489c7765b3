import { columnsOf, graphemesOf, plainText } from '@treeline/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Layout, layOut, windowOf } from './layout.ts'
import { anyText } from './testing/keys.ts'

const linesOf = ({ rows }: Layout) => rows.map(({ cells }) => cells.map(({ text }) => text).join(''))

test('rows end at spaces, or where they are full, with a column left for the cursor', () => {
  expect(linesOf(layOut('one two three', 0, 9))).toEqual(['one two ', 'three'])
  expect(linesOf(layOut('abcdefgh', 0, 5))).toEqual(['abcd', 'efgh'])
  expect(linesOf(layOut('a\n\nb\n', 0, 5))).toEqual(['a', '', 'b', ''])
  expect(linesOf(layOut('', 0, 5))).toEqual([''])
})

test('a wide character goes to the next row rather than over the edge', () => {
  expect(linesOf(layOut('ab 東京タワー', 0, 7))).toEqual(['ab 東', '京タワ', 'ー'])
  expect(linesOf(layOut('👩‍👩‍👧👩‍👩‍👧', 0, 4))).toEqual(['👩‍👩‍👧', '👩‍👩‍👧'])
})

test('a tab reaches to the next stop, what cannot be seen has a stand-in', () => {
  expect(linesOf(layOut('a\tb\tc', 0, 80))).toEqual(['a   b   c'])
  expect(linesOf(layOut('a\u200bb\u202ec', 0, 80))).toEqual(['a\ufffdb\ufffdc'])
})

test('the cursor is where its character is drawn, behind a full row too', () => {
  expect(layOut('東京 abc', 3, 80)).toMatchObject({ cursorRow: 0, cursorColumn: 5 })
  expect(layOut('one two three', 8, 9)).toMatchObject({ cursorRow: 1, cursorColumn: 0 })
  expect(layOut('abcd', 4, 5)).toMatchObject({ cursorRow: 0, cursorColumn: 4 })
  expect(layOut('a\n', 2, 5)).toMatchObject({ cursorRow: 1, cursorColumn: 0 })
})

test('the window holds the cursor and as many rows as there is room for', () => {
  const text = 'a\nb\nc\nd\ne\nf'
  expect(windowOf(layOut(text, 0, 9), 3)).toEqual({ from: 0, to: 3 })
  expect(windowOf(layOut(text, 6, 9), 3)).toEqual({ from: 2, to: 5 })
  expect(windowOf(layOut(text, 11, 9), 3)).toEqual({ from: 3, to: 6 })
  expect(windowOf(layOut(text, 11, 9), 30)).toEqual({ from: 0, to: 6 })
})

test('K4 no row is wider than there is room for, every character is drawn once, in order, and none drives a terminal', () => {
  fc.assert(
    fc.property(anyText, fc.nat(60), fc.integer({ min: 2, max: 20 }), (text, place, columns) => {
      const cursor = Math.min(place, text.length)
      const layout = layOut(text, cursor, columns)
      for (const line of linesOf(layout)) expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
      for (const { cells } of layout.rows) {
        expect(cells.reduce((sum, cell) => sum + columnsOfCell(cell.text), 0)).toBeLessThanOrEqual(columns - 1)
        expect(cells.every((cell) => columnsOfCell(cell.text) === cell.columns)).toBe(true)
      }
      const starts: number[] = []
      let start = 0
      for (const grapheme of graphemesOf(text)) {
        if (plainText(grapheme) !== '\n') starts.push(start)
        start += grapheme.length
      }
      expect(layout.rows.flatMap(({ cells }) => cells.map((cell) => cell.start))).toEqual(starts)
      expect(layout.cursorRow).toBeGreaterThanOrEqual(0)
      expect(layout.cursorColumn).toBeLessThan(columns)
    }),
    { numRuns: 500 },
  )
})

function columnsOfCell(text: string): number {
  return [...graphemesOf(text)].reduce((sum, grapheme) => sum + columnsOf(grapheme), 0)
}
