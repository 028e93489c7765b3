import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findJsonError } from './json-error.ts'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('an error is found exactly where the engine finds one', () => {
  const json = fc.json({ noUnicodeString: false } as fc.JsonSharedConstraints)
  const noise = fc.string({ unit: fc.constantFrom(...'{}[]":,\\ \n0.1eE-+truefalsn/u\u0000\u2028'), maxLength: 12 })
  fc.assert(
    fc.property(json, noise, fc.nat(), fc.nat(3), (text, added, at, removed) => {
      const place = at % (text.length + 1)
      const changed = text.slice(0, place) + added + text.slice(place + removed)
      for (const one of [text, added, changed]) expect(findJsonError(one) === undefined).toBe(isJson(one))
    }),
    { numRuns: 2_000 },
  )
})

test('what is before the error could have gone on', () => {
  expect(findJsonError('{"a": 1,\n  // why\n}')).toBe(11)
  expect(findJsonError('{"a": [1, 2,]}')).toBe(12)
  expect(findJsonError('{"a": ')).toBe(6)
  expect(findJsonError('{"a": "x}')).toBe(6)
  expect(findJsonError('{} {}')).toBe(3)
  expect(findJsonError('')).toBe(0)
  expect(findJsonError(']')).toBe(0)
})

test('half a million open brackets and an endless text cost no stack', () => {
  expect(findJsonError('['.repeat(500_000))).toBe(500_000)
  expect(findJsonError(`"${'a'.repeat(1_000_000)}`)).toBe(0)
})
