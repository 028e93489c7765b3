import { expect, test } from 'vitest'
import { bytesText, counted, numberText } from './amount.ts'

test('sizes have three digits and a unit', () => {
  const sizes = [0, 999, 1000, 1234, 34_480, 999_499, 999_500, 1_210_000, 5e9, 7e15]
  expect(sizes.map(bytesText)).toEqual([
    '0 B',
    '999 B',
    '1.00 KB',
    '1.23 KB',
    '34.5 KB',
    '999 KB',
    '1.00 MB',
    '1.21 MB',
    '5.00 GB',
    '7000 TB',
  ])
})

test('numbers are grouped and one is one', () => {
  expect(numberText(1_234_567)).toBe('1,234,567')
  expect([counted(0, 'node'), counted(1, 'node'), counted(2, 'entry', 'entries')]).toEqual([
    '0 nodes',
    '1 node',
    '2 entries',
  ])
})
