import { expect, test } from 'vitest'
import { ageText, minuteText } from './age.ts'

const now = new Date(2026, 2, 20, 12).getTime()
const ago = (ms: number) => ageText(new Date(now - ms).toISOString(), now)

test('an age is told in as few words as tell it, and what is long ago by its date', () => {
  expect([0, 59_000, 61_000, 3_599_000].map(ago)).toEqual(['just now', 'just now', '1 min ago', '59 min ago'])
  expect([3_600_000, 86_399_000].map(ago)).toEqual(['1 h ago', '23 h ago'])
  expect([86_400_000, 13.5 * 86_400_000].map(ago)).toEqual(['1 d ago', '13 d ago'])
  expect(ago(14 * 86_400_000)).toBe('2026-03-06')
})

test('a time that cannot be is told as it is', () => {
  expect(ago(-1000)).toBe('just now')
  expect(ago(-5 * 86_400_000)).toBe('2026-03-25')
  expect(ageText('yesterday-ish', now)).toBe('unknown')
  expect(ageText(undefined, now)).toBe('unknown')
  expect(minuteText(new Date(2026, 0, 2, 3, 4).toISOString())).toBe('2026-01-02 03:04')
  expect(minuteText('never')).toBe('')
})
