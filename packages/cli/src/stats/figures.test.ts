import { expect, test } from 'vitest'
import { costText, tokensText } from './figures.ts'

test('tokens and costs are short and say what matters', () => {
  expect([0, 999, 9_999, 10_000, 99_949, 999_499, 999_500, 12_345_678, 5e15].map(tokensText)).toEqual([
    '0',
    '999',
    '9,999',
    '10.0k',
    '99.9k',
    '999k',
    '1.00M',
    '12.3M',
    '5000T',
  ])
  expect([0, 0.00001, 0.0123, 0.5, 1234.567].map(costText)).toEqual(['-', '<$0.0001', '$0.0123', '$0.50', '$1,234.57'])
})
