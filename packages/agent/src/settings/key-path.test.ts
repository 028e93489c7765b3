import { TreelineError } from '@treeline/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatKeyPath, parseKeyPath } from './key-path.ts'

test('what is formatted parses to the same path', () => {
  const part = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('compaction', 'openai/gpt-5.1', '__proto__', ''))
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (path) => {
      expect(parseKeyPath(formatKeyPath(path))).toEqual(path)
    }),
  )
})

test('plain keys are joined by dots, others are quoted', () => {
  expect(formatKeyPath(['models', 'openai/gpt-5.1', 'contextWindow'])).toBe('models["openai/gpt-5.1"].contextWindow')
  expect(parseKeyPath('compaction.enabled')).toEqual(['compaction', 'enabled'])
})

test.each(['', '.', 'a..b', 'a.', '.a', 'a[b]', 'a["b', 'a["\\x"]', 'a b', 'a]'])('%j is refused', (text) => {
  expect(() => parseKeyPath(text)).toThrow(TreelineError)
})
