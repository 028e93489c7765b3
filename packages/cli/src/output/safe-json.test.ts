import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isJsonLine, jsonLine, safeJson } from './safe-json.ts'

const HOSTILE = [
  '\u0000',
  '\u001b[31m',
  '\u007f',
  '\u0085',
  '\u009b31m',
  '\u061c',
  '\u200e',
  '\u202e',
  '\u2028',
  '\u2069',
]

test('K4 what is made for a terminal is known again, whatever was said', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom(...HOSTILE))
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      expect(isJsonLine(jsonLine(texts))).toBe(true)
      expect(JSON.parse(jsonLine(texts).toString())).toEqual(JSON.parse(JSON.stringify(texts)))
    }),
  )
})

test('K4 a line in which anything is left that a terminal obeys is none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const plain = text.toWellFormed()
      // JSON leaves as they are the characters of which `safeJson` makes escapes, and no others.
      const isSafe = JSON.stringify(plain) === safeJson(plain)
      expect(isJsonLine(Buffer.from(`${JSON.stringify(plain)}\n`))).toBe(isSafe)
    }),
  )
  for (const evil of HOSTILE) expect(isJsonLine(Buffer.from(`"${evil}"\n`))).toBe(false)
  for (const end of ['', '\n\n', '\r\n']) expect(isJsonLine(Buffer.from(`{}${end}`))).toBe(false)
  expect(isJsonLine(Buffer.from([0x22, 0x9b, 0x22, 10]))).toBe(false)
  expect(isJsonLine(Buffer.alloc(0))).toBe(false)
})
