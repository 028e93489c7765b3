import { expect, test } from 'vitest'
import { parseMoment } from './moment.ts'

const now = new Date(2026, 2, 10, 15, 30).getTime()
const local = (...parts: [number, number, number]) => new Date(...parts).toISOString()

test('an age is counted back from now', () => {
  expect(parseMoment('since', '90m', now)).toBe(new Date(now - 90 * 60_000).toISOString())
  expect(parseMoment('since', '3d', now)).toBe(new Date(now - 3 * 86_400_000).toISOString())
  expect(parseMoment('until', '2w', now)).toBe(new Date(now - 14 * 86_400_000).toISOString())
})

test('a day is one of this time zone, and until a day means until it is over', () => {
  expect(parseMoment('since', '2026-03-01', now)).toBe(local(2026, 2, 1))
  expect(parseMoment('until', '2026-03-01', now)).toBe(local(2026, 2, 2))
  expect(parseMoment('until', '2026-02-28', now)).toBe(local(2026, 2, 1))
  expect(parseMoment('since', 'today', now)).toBe(local(2026, 2, 10))
  expect(parseMoment('until', 'today', now)).toBe(local(2026, 2, 11))
  expect(parseMoment('since', 'yesterday', now)).toBe(local(2026, 2, 9))
  expect(parseMoment('until', 'yesterday', now)).toBe(local(2026, 2, 10))
})

test('a time is taken as it is', () => {
  expect(parseMoment('since', '2026-03-01T12:00:00Z', now)).toBe('2026-03-01T12:00:00.000Z')
  expect(parseMoment('until', '2026-03-01T12:00+02:00', now)).toBe('2026-03-01T10:00:00.000Z')
})

test.each(['', 'soon', '2026-02-30', '2026-13-01', '3', '-3d', '999999y', '2026-03-01T25:00:00Z', '1e3d'])(
  'what is no moment is refused: %j',
  (text) => {
    expect(() => parseMoment('since', text, now)).toThrowError(expect.objectContaining({ code: 'bad_request' }))
  },
)
