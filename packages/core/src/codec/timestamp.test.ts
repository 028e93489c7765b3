import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { parseIsoMs } from './timestamp.ts'

const parse = (text: string) => parseIsoMs(new TextEncoder().encode(text), 0)

test('a timestamp read from bytes is the one Date.parse reads', () => {
  const from = new Date('0000-01-01T00:00:00.000Z')
  fc.assert(
    fc.property(fc.date({ min: from, max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }), (date) => {
      const text = date.toISOString()
      expect(parse(text)).toBe(text.includes('-02-29T') ? Number.NaN : date.getTime())
    }),
    { numRuns: runs(2000) },
  )
})

test('every day of a century and a half is counted right', () => {
  for (let ms = Date.UTC(1960, 0, 1); ms < Date.UTC(2110, 0, 1); ms += 86_400_000) {
    const text = new Date(ms).toISOString()
    if (!text.includes('-02-29T') && parse(text) !== ms) expect(parse(text)).toBe(ms)
  }
})

test('what is not plainly of that form is left to Date.parse', () => {
  for (const text of [
    '2026-02-30T00:00:00.000Z',
    '2026-13-01T00:00:00.000Z',
    '2026-00-01T00:00:00.000Z',
    '2026-01-00T00:00:00.000Z',
    '2026-01-01T24:00:00.000Z',
    '2026-01-01T00:60:00.000Z',
    '2026-01-01T00:00:60.000Z',
    '2026-01-01T00:00:00.0x0Z',
    '2026-01-01T00:00:00,000Z',
    '2026-01-01 00:00:00.000Z',
    '20x6-01-01T00:00:00.000Z',
    '2026-01-01T00:00:00Z',
  ]) {
    expect(parse(text), text).toBeNaN()
  }
})
