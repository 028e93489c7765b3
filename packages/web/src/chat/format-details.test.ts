import { expect, test } from 'vitest'
import { formatCost, formatCount } from './format-details.ts'

test.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1k'],
  [1_234, '1.2k'],
  [128_000, '128k'],
  [999_700, '1M'],
  [2_500_000, '2.5M'],
])('%i tokens are %s', (count, text) => expect(formatCount(count)).toBe(text))

test.each([
  [0, '$0.00'],
  [0.00012, '$0.00012'],
  [0.0421, '$0.042'],
  [12.3, '$12.30'],
])('%f dollars are %s', (amount, text) => expect(formatCost({ amount, currency: 'USD' })).toBe(text))

test('other money has its name, and what is only estimated says so', () => {
  expect(formatCost({ amount: 2, currency: 'EUR', estimated: true })).toBe('≈ EUR 2.00')
})
