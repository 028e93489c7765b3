import { expect, test } from 'vitest'
import { hintLine } from './hint-line.ts'

test('hints stand side by side and none is cut; what has no room is left out', () => {
  const hints = ['↑↓ move', 'Enter pick', '输入搜索', 'Esc']
  expect(hintLine(hints, ' · ', 37)).toBe('↑↓ move · Enter pick · 输入搜索 · Esc')
  expect(hintLine(hints, ' · ', 36)).toBe('↑↓ move · Enter pick · 输入搜索')
  expect(hintLine(hints, ' · ', 30)).toBe('↑↓ move · Enter pick')
})
