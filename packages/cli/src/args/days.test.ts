import { expect, test } from 'vitest'
import { parseDays } from './days.ts'

test('spans of time are said in days, weeks, months and years', () => {
  expect(['0', '30', '30d', '2w', '6m', '1y', ' 3D '].map((text) => parseDays('older-than', text))).toEqual([
    0, 30, 30, 14, 180, 365, 3,
  ])
})

test.each(['', 'd', '-3', '1.5d', '3h', '99999999', 'soon'])('R2 %j is refused with what to give instead', (text) => {
  expect(() => parseDays('older-than', text)).toThrow(/--older-than takes a number of days, or 30d/)
})
