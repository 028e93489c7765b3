import { expect, test } from 'vitest'
import { render } from './style.ts'
import { type Column, table, widthOf } from './table.ts'

const COLUMNS: readonly Column[] = [
  { title: 'id' },
  { title: 'size', align: 'right', spare: 2 },
  { title: 'text', flexible: true },
  { title: 'when', spare: 1 },
]
const ROWS = [['12345678', '1,024', 'a text that is as long as any', '2026-01-02']]
const linesAt = (width: number) => [...table(COLUMNS, ROWS, width)].map((line) => render(line, false))

test('where there is no room for all columns, those that can be spared go, one after the other', () => {
  const titles = (width: number) => linesAt(width)[0]!.split(/ +/)
  expect(titles(80)).toEqual(['id', 'size', 'text', 'when'])
  expect(titles(41)).toEqual(['id', 'size', 'text', 'when'])
  expect(titles(40)).toEqual(['id', 'text', 'when'])
  expect(titles(34)).toEqual(['id', 'text', 'when'])
  expect(titles(33)).toEqual(['id', 'text'])
})

test('no line is wider than the terminal, and none leaves room unused that a text needs', () => {
  for (let width = 22; width <= 80; width++) {
    const [, row] = linesAt(width)
    expect(widthOf(row!), `${width}`).toBeLessThanOrEqual(width)
    if (row!.includes('…')) expect(widthOf(row!), `${width}`).toBeGreaterThan(width - 2)
  }
})
