import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columnsSchema, packColumns, readColumns, type TreeColumns } from './columns.ts'

const columns: fc.Arbitrary<TreeColumns> = fc.nat({ max: 30 }).chain((count) => {
  const each = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: count, maxLength: count })
  return fc.record({
    id: fc.constant(Array.from({ length: count }, (_, i) => `n${i}`)),
    parent: each(fc.integer({ min: -2, max: Math.max(0, count - 1) })).map((all) =>
      // Nothing is its own parent.
      all.map((above, place) => (above === place ? -1 : above)),
    ),
    role: each(fc.integer({ min: 0, max: 3 })),
    flags: each(fc.nat({ max: 63 })),
    time: each(fc.integer({ min: 0, max: 4e12 })),
    reordered: fc.constant({}),
  })
})

test('columns say after the way over the wire what they said before, also of a parent that came later', () => {
  fc.assert(
    fc.property(columns, (given) => {
      const packed = columnsSchema.parse(JSON.parse(JSON.stringify(packColumns(given))))
      const { parent, role, flags, time, ...rest } = readColumns(packed)
      expect({ parent: [...parent], role: [...role], flags: [...flags], time: [...time], ...rest }).toEqual(given)
    }),
  )
})
