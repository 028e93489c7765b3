import fc from 'fast-check'
import { expect, test } from 'vitest'
import { copyJson } from './copy-json.ts'

test('a copy is what writing and reading gives, or there is none', () => {
  const values = fc.oneof(
    fc.object({ withNullPrototype: true, withDate: true, withMap: true }),
    fc.array(fc.anything()),
  )
  fc.assert(
    fc.property(values, (value) => {
      const copy = copyJson(value)
      if (copy !== undefined) expect(copy).toStrictEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('what JSON carries is copied, whatever is changed in the original afterwards', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (given) => {
      const value = JSON.parse(JSON.stringify(given).replaceAll('__proto__', 'proto'))
      expect(copyJson(value)).toStrictEqual(value)
    }),
  )
  const original = { patch: { list: [1] } }
  const copy = copyJson(original)
  original.patch.list.push(2)
  expect(copy).toEqual({ patch: { list: [1] } })
})

test('what reading a line would give otherwise is left to reading', () => {
  const deep = Array.from({ length: 40 }).reduce<object>((inner) => [inner], {})
  const none = [{ a: undefined }, { a: Number.NaN }, { a: -0 }, { a: new Date() }, { a: new Map() }, { a: 1n }, deep]
  for (const value of [...none, JSON.parse('{"__proto__":1}')]) expect(copyJson(value)).toBeUndefined()
})
