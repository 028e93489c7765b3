import fc from 'fast-check'
import { expect, test } from 'vitest'
import { OutputKeeper } from './output-keeper.ts'

const MIB = 1024 ** 2

test('whatever the sizes of the pieces, the first 8 MiB and the last 8 MiB are kept', () => {
  const size = fc.oneof(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 0, max: 11 * MIB }))
  fc.assert(
    fc.property(fc.array(size, { maxLength: 6 }), (sizes) => {
      const whole = Buffer.alloc(sizes.reduce((sum, one) => sum + one, 0))
      for (let i = 0; i < whole.length; i += 997) whole.writeUInt8(i % 251, i)
      const keeper = new OutputKeeper()
      let at = 0
      for (const one of sizes) {
        keeper.push(whole.subarray(at, at + one))
        at += one
      }
      const { head, tail, totalBytes } = keeper.kept()
      expect(totalBytes).toBe(whole.length)
      const headLength = Math.min(whole.length, 8 * MIB)
      expect(Buffer.compare(head, whole.subarray(0, headLength))).toBe(0)
      const tailLength = Math.min(whole.length - headLength, 8 * MIB)
      expect(Buffer.compare(tail, whole.subarray(whole.length - tailLength))).toBe(0)
    }),
    { numRuns: 30 },
  )
})
