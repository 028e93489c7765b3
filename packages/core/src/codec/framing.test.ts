import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { findLineEnd, hasSecondHead, type LineEnd } from './framing.ts'
import { openWindow } from './window.ts'

const encoder = new TextEncoder()

function find(text: string | Uint8Array, lead: number, from = 0): LineEnd {
  const bytes = typeof text === 'string' ? encoder.encode(text) : text
  const buffer = new Uint8Array(lead + bytes.length)
  buffer.set(bytes, lead)
  const found = { at: 0, suspicious: false }
  findLineEnd(openWindow(buffer.subarray(lead)), from, found)
  return found
}

test('a second head is seen wherever it stands and however the bytes are aligned', () => {
  for (const head of ['"parentId":', '}}{"type":"', '"}{"type":"', '0}{"type":"']) {
    for (let lead = 0; lead < 8; lead++) {
      for (let before = 0; before < 24; before++) {
        for (const after of [0, 1, 7, 30]) {
          const text = `${'x'.repeat(before)}${head}${'y'.repeat(after)}`
          expect(find(`${text}\nz`, lead), text).toEqual({ at: text.length, suspicious: true })
          expect(hasSecondHead(encoder.encode(text)), text).toBe(true)
        }
      }
    }
  }
})

test('what only looks like a head, or stands on another line, is not one', () => {
  for (let lead = 0; lead < 8; lead++) {
    for (const [text, at] of [
      ['\\"parentId\\": }{\\"type\\":\\" [{"type":"text"},{"type":"x"}] parentId\n', 67],
      ['xxxxxxx\n"parentId":"a"', 7],
      ['xxx\n}{"type":"', 3],
      ['{"type":"\n', 9],
      ['', -1],
    ] as const) {
      expect(find(text, lead), text).toEqual({ at, suspicious: false })
    }
  }
})

test('the line end found is the first line feed', () => {
  const bytes = fc.uint8Array({ maxLength: 80 }).map((some) => some.map((byte) => (byte % 16 === 0 ? 0x0a : byte)))
  fc.assert(
    fc.property(bytes, fc.nat(7), fc.nat(20), (some, lead, from) => {
      expect(find(some, lead, from).at).toBe(some.indexOf(0x0a, from))
    }),
    { numRuns: runs(1000) },
  )
})
