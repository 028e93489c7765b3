import { crc32 as zlibCrc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crc32 } from './crc32.ts'

test('I1 the checksum is the CRC-32 everyone else computes', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926)
  expect(crc32(new Uint8Array(0))).toBe(0)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(8), (bytes, lead) => {
      // A view that starts at any byte of its buffer, as chunks of a file do.
      const buffer = new Uint8Array(lead + bytes.length)
      buffer.set(bytes, lead)
      expect(crc32(buffer.subarray(lead))).toBe(zlibCrc32(bytes))
    }),
  )
})

test('a range is checksummed without its surroundings, and a checksum can be continued', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 2, maxLength: 400 }), fc.nat(), fc.nat(), (bytes, a, b) => {
      const [start, end] = [a % bytes.length, b % bytes.length].sort((x, y) => x - y) as [number, number]
      expect(crc32(bytes, start, end)).toBe(zlibCrc32(bytes.subarray(start, end)))
      expect(crc32(bytes, end, bytes.length, crc32(bytes, 0, end))).toBe(zlibCrc32(bytes))
    }),
  )
})
