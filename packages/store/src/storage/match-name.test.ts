import { expect, test } from 'vitest'
import { matchName } from './match-name.ts'

test.each([
  ['a.jsonl', '*.jsonl', true],
  ['.jsonl', '*.jsonl', false],
  ['a.jsonl.bak', '*.jsonl', false],
  ['2026-01', '2026-*', true],
  ['2025-01', '2026-*', false],
  ['.x.tmp', '*', false],
  ['.x.tmp', '.*', true],
  ['aba', 'ab*ba', false],
  ['abba', 'ab*ba', true],
])('%s against %s: %s', (name, pattern, expected) => {
  expect(matchName(name, pattern)).toBe(expected)
})

test('a pattern without or with two stars is refused', () => {
  expect(() => matchName('a', 'a')).toThrow(TypeError)
  expect(() => matchName('a', '*a*')).toThrow(TypeError)
})
