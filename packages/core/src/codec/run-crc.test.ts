import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { crc32 } from './crc32.ts'
import { addToRun } from './run-crc.ts'
import { sealRecord } from './seal.ts'

const encoder = new TextEncoder()

function lineOf(text: string): Uint8Array {
  return sealRecord(encoder.encode(JSON.stringify({ type: 'x', text })))
}

/** The expected checksum of the lines, and the one they have. */
function check(lines: readonly Uint8Array[], damage?: (bytes: Uint8Array) => void): [number | undefined, number] {
  const bytes = new Uint8Array(Buffer.concat(lines))
  damage?.(bytes)
  let expected: number | undefined
  let at = 0
  for (const [i, line] of lines.entries()) {
    expected = addToRun(expected, bytes, at, at + line.length - 1)
    if (expected === undefined && i < lines.length) return [undefined, 0]
    at += line.length
  }
  return [expected, crc32(bytes, 0, bytes.length - 1)]
}

describe('checksums of many lines at once', () => {
  test('I1 the one of all follows from those of each', () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 3000 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(texts, (texts) => {
        const [expected, found] = check(texts.map(lineOf))
        expect(found).toBe(expected)
      }),
    )
  })

  test('I2 any changed byte is noticed', () => {
    const lines = ['one', 'two'.repeat(400), ''].map(lineOf)
    const { length } = Buffer.concat(lines)
    for (let at = 0; at < length - 1; at++) {
      const [expected, found] = check(lines, (bytes) => {
        bytes[at]! ^= 1
      })
      expect(found, `byte ${at}`).not.toBe(expected ?? -1)
    }
  })

  test('a record without checksum, or one so long that it is checked alone, is none of a run', () => {
    const bare = encoder.encode('{"type":"x","text":"no checksum here"}')
    expect(addToRun(undefined, bare, 0, bare.length)).toBeUndefined()
    const empty = encoder.encode('{,"crc":"00000000"}')
    expect(addToRun(undefined, empty, 0, empty.length)).toBeUndefined()
    for (const size of [65_000, 66_000]) {
      const [expected, found] = check([lineOf('a'.repeat(size))])
      expect(expected).toBe(size < 65_536 ? found : undefined)
    }
  })
})
