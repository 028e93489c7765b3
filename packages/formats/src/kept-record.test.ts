import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isUnsafe, type JsonRecord, keepRecord, restoreRecord } from './kept-record.ts'
import { runs } from './testing/runs.ts'

const stored = (kept: unknown): unknown => (kept === undefined ? undefined : JSON.parse(JSON.stringify(kept)))
const backOf = (original: JsonRecord, derived: JsonRecord, changeable: readonly string[] = [], now = derived) =>
  JSON.stringify(restoreRecord(stored(keepRecord(original, derived, changeable)) ?? {}, now, changeable))

const key = fc.constantFrom('a', 'b', 'c', '__proto__', 'toString', 'partialJson')
const record = fc
  .array(fc.tuple(key, fc.jsonValue({ maxDepth: 2 })), { maxLength: 5 })
  .map((pairs): JsonRecord => JSON.parse(JSON.stringify(Object.fromEntries(pairs))))

test('whatever is derived, the record comes back as it was, keys in their order', () => {
  fc.assert(
    fc.property(record, record, fc.subarray(['a', 'b', '__proto__']), (original, derived, changeable) => {
      const kept = keepRecord(original, derived, changeable)
      expect(JSON.stringify(restoreRecord(stored(kept) ?? {}, derived, changeable))).toBe(JSON.stringify(original))
    }),
    { numRuns: runs(500) },
  )
})

test('nothing is kept where all of it can be derived', () => {
  expect(keepRecord({ a: 1, b: [2] }, { a: 1, b: [2] }, ['a'])).toBeUndefined()
})

test('what has changed since is what is derived now; the rest stays', () => {
  const original = { x: 1, a: 'theirs', y: 2 }
  expect(backOf(original, { a: 'ours' }, ['a'])).toBe('{"x":1,"a":"theirs","y":2}')
  expect(backOf(original, { a: 'ours' }, ['a'], { a: 'new' })).toBe('{"x":1,"a":"new","y":2}')
  expect(backOf(original, { a: 'ours' }, ['a'], {})).toBe('{"x":1,"y":2}')
  expect(backOf({ x: 1 }, {}, ['a'], { a: 'new' })).toBe('{"x":1,"a":"new"}')
  expect(backOf({ x: 1, a: 1 }, { a: 1 }, ['a'], { a: 2 })).toBe('{"x":1,"a":2}')
  expect(backOf({ partialJson: 1, a: 1 }, { a: 1 }, ['a'], { a: 2 })).toBe('{"partialJson":1,"a":2}')
})

test('what a log would not give back is kept as text', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`)
  expect(isUnsafe(deep)).toBe(true)
  expect(keepRecord(deep, {}, [])).toEqual({ json: JSON.stringify(deep) })
  expect(keepRecord({ a: { partialJson: 1 } }, {}, [])).toEqual({ json: '{"a":{"partialJson":1}}' })
})

test('K4 what a log says was kept may be anything', () => {
  const derived = { a: 1 }
  const endless = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
  for (const kept of [null, 7, [], { keys: 7 }, { json: '{' }, { json: '[]' }, { json: endless }, { values: [] }]) {
    expect(restoreRecord(kept, derived, ['a'])).toEqual(derived)
  }
})
