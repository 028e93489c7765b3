import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { retryDelay } from './retry-delay.ts'

const retry = { enabled: true, maxRetries: 3, baseDelayMs: 2_000, maxDelayMs: 60_000 }
const may = { isRetryable: true }

test('doubles from attempt to attempt, anywhere below that', () => {
  expect([1, 2, 3].map((attempt) => retryDelay(attempt, may, retry, () => 0.5))).toEqual([1_000, 2_000, 4_000])
  expect(retryDelay(1, may, retry, () => 0)).toBe(0)
})

describe('gives up', () => {
  test('after so many', () => expect(retryDelay(4, may, retry, () => 0.5)).toBeUndefined())
  test('on what cannot get better', () =>
    expect(retryDelay(1, { isRetryable: false }, retry, () => 0.5)).toBeUndefined())
  test('when retries are off', () =>
    expect(retryDelay(1, may, { ...retry, enabled: false }, () => 0.5)).toBeUndefined())
  test('when the provider asks for more patience than there is', () =>
    expect(retryDelay(1, { ...may, retryAfterMs: 60_001 }, retry, () => 0.5)).toBeUndefined())
})

test('never comes back before it was asked to, nor waits longer than allowed', () => {
  const cases = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.nat(60_000), fc.double({ min: 0, max: 0.999, noNaN: true }))
  fc.assert(
    fc.property(cases, ([attempt, retryAfterMs, chance]) => {
      const delay = retryDelay(attempt, { ...may, retryAfterMs }, retry, () => chance)
      expect(delay).toBeGreaterThanOrEqual(retryAfterMs)
      expect(delay).toBeLessThanOrEqual(retry.maxDelayMs)
    }),
  )
})

test('many attempts do not make a wait that is no number', () => {
  expect(retryDelay(2_000, may, { ...retry, maxRetries: 5_000 }, () => 0.5)).toBe(30_000)
})
