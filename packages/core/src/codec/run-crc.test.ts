import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { crc32 } from './crc32.ts'
import { RunCrc, takeRunCrc } from './run-crc.ts'
import { sealRecord } from './seal.ts'

const encoder = new TextEncoder()
const run = new RunCrc()

function lineOf(text: string): Uint8Array {
  return sealRecord(encoder.encode(JSON.stringify({ type: 'x', text })))
}

function lengthsOf(lines: readonly Uint8Array[]): Uint32Array {
  return Uint32Array.from(lines, ({ length }) => length - 1)
}

/** The expected checksum of the lines, and the one they have. */
function check(
  lines: readonly Uint8Array[],
  damage?: (bytes: Uint8Array) => void,
  window: 0 | 1 = 0,
): readonly [number, number] {
  const bytes = Buffer.concat(lines)
  damage?.(bytes)
  run.windows[window].set(bytes, 3)
  const placed = run.windows[window].subarray(3, 3 + bytes.length)
  return [run.expected(placed, [lengthsOf(lines)]), crc32(bytes)]
}

describe('checksums of many lines at once', () => {
  test('I1 the one of all follows from those of each, in either window', () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 3000 }), { maxLength: 20 })
    fc.assert(
      fc.property(texts, fc.constantFrom(0, 1), (texts, window) => {
        const [expected, found] = check(texts.map(lineOf), undefined, window)
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
        })
        expect(found, `byte ${at}`).not.toBe(expected)
      }
    }
  })

  test('I1 a line without checksum is noticed', () => {
    const bare = encoder.encode('{"type":"x","text":"no checksum here"}\n')
    const [expected, found] = check([lineOf('one'), bare, lineOf('two')])
    expect(found).not.toBe(expected)
  })

  test('I2 bytes that are not just these lines are noticed', () => {
    const lines = ['one', 'two', 'three'].map(lineOf)
    const bytes = Buffer.concat(lines)
    run.windows[0].set(bytes)
    const [window, lengths] = [run.windows[0], lengthsOf(lines)]
    expect(run.expected(window.subarray(0, bytes.length), [lengths])).toBe(crc32(bytes))
    expect(run.expected(window.subarray(0, bytes.length + 1), [lengths])).toBe(-1)
    expect(run.expected(window.subarray(0, bytes.length - 1), [lengths])).toBe(-1)
    expect(run.expected(window.subarray(0, bytes.length), [lengths.subarray(0, 2)])).toBe(-1)
    expect(run.expected(window.subarray(0, 20), [Uint32Array.of(9, 9)])).toBe(-1)
  })

  test('a record nearly as long as a window is part of a run, a longer one is not', () => {
    const most = 2 ** 18 - 2
    const frame = lineOf('').length - 1
    const line = lineOf('a'.repeat(most - frame))
    run.windows[0].set(line)
    const placed = run.windows[0].subarray(0, line.length)
    expect(run.expected(placed, [Uint32Array.of(most)])).toBe(crc32(line))
    for (const length of [most + 1, 2 ** 31, 2 ** 32 - 1]) {
      expect(run.expected(run.windows[0], [Uint32Array.of(length)])).toBe(-1)
    }
  })

  test('nobody else uses one that is taken', () => {
    let first: RunCrc | undefined
    {
      using one = takeRunCrc()
      using other = takeRunCrc()
      expect(other).not.toBe(one)
      first = one
    }
    // What was given back last.
    expect(takeRunCrc()).toBe(first)
  })
})
