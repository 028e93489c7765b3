import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { crc32 } from './crc32.ts'
import { openRunCrc, RunCrc } from './run-crc.ts'
import { sealRecord } from './seal.ts'

const encoder = new TextEncoder()
const run = new RunCrc()

function lineOf(text: string): Uint8Array {
  return sealRecord(encoder.encode(JSON.stringify({ type: 'x', text })))
}

/** The expected checksum of the lines, and the one they have. Nothing when one has no place among them. */
function check(lines: readonly Uint8Array[], damage?: (bytes: Uint8Array) => void): [number, number] | undefined {
  const bytes = Buffer.concat(lines)
  damage?.(bytes)
  run.window.set(bytes)
  let at = 0
  for (const [i, line] of lines.entries()) {
    if (!run.place(i, at, at + line.length - 1)) return undefined
    at += line.length
  }
  return [run.expected(lines.length), crc32(bytes)]
}

describe('checksums of many lines at once', () => {
  test('I1 the one of all follows from those of each', () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 3000 }), { maxLength: 20 })
    fc.assert(
      fc.property(texts, (texts) => {
        const [expected, found] = check(texts.map(lineOf))!
        expect(found).toBe(expected)
      }),
    )
  })

  test('I2 any changed byte is noticed', () => {
    const lines = ['one', 'two'.repeat(400), ''].map(lineOf)
    const { length } = Buffer.concat(lines)
    for (let at = 0; at < length; at++) {
      for (const bit of [1, 0x20, 0x80]) {
        const [expected, found] = check(lines, (bytes) => {
          bytes[at]! ^= bit
        })!
        expect(found, `byte ${at}`).not.toBe(expected)
      }
    }
  })

  test('I1 a line without checksum is noticed', () => {
    const bare = encoder.encode('{"type":"x","text":"no checksum here"}\n')
    const [expected, found] = check([lineOf('one'), bare, lineOf('two')])!
    expect(found).not.toBe(expected)
  })

  test('a record as long as the window is part of a run, a longer one is not', () => {
    const most = 2 ** 18 - 2
    const frame = lineOf('').length - 1
    const [expected, found] = check([lineOf('a'.repeat(most - frame))])!
    expect(found).toBe(expected)
    expect(run.place(0, 0, most + 1)).toBe(false)
  })

  test('more lines than there is room for are for the next run', () => {
    expect(run.place(2047, 0, 100)).toBe(true)
    expect(run.place(2048, 0, 100)).toBe(false)
  })

  test('there is one for all', () => {
    expect(openRunCrc()).toBe(openRunCrc())
  })
})
