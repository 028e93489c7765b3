import { isUtf8 } from 'node:buffer'
import { TreelineError } from '@treeline/core'
import type { BlobRef } from '@treeline/store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limitBytes, limitOutput } from './limit-output.ts'
import type { ToolOutput } from './tool.ts'

const REF: BlobRef = `blob:sha256:${'a'.repeat(64)}`
const MAX_BYTES = 50 * 1024

function collect() {
  const kept: Buffer[] = []
  const put = async (bytes: Uint8Array) => {
    kept.push(Buffer.from(bytes))
    return REF
  }
  return { kept, put }
}

const wholly = (bytes: Uint8Array) => ({ head: bytes, tail: new Uint8Array(), totalBytes: bytes.length })

const line = fc.string({ unit: 'binary', maxLength: 30 })
const text = fc
  .tuple(fc.array(line, { maxLength: 20 }), fc.integer({ min: 1, max: 3000 }), fc.constantFrom('\n', '', '\r\n'))
  .map(([lines, times, end]) => (lines.join(end) + end).repeat(times).slice(0, 300_000))

test('whatever the output, the model gets no more than 50 KB and 2,000 lines of well-formed text', async () => {
  await fc.assert(
    fc.asyncProperty(text, async (given) => {
      const { kept, put } = collect()
      const output = await limitOutput({ content: [{ type: 'text', text: given }] }, put, [])
      const [block] = output.content
      const shown = block?.type === 'text' ? block.text : ''
      expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(MAX_BYTES)
      expect(shown.split('\n').length).toBeLessThanOrEqual(2001)
      expect(shown.isWellFormed()).toBe(true)
      expect(shown).not.toContain('\0')
      if (kept.length === 0) expect(shown).toBe(given.toWellFormed())
      else {
        expect(kept[0]!.toString()).toBe(given.toWellFormed())
        expect(shown).toContain(REF)
        expect(output.details).toEqual({ fullOutput: REF, totalBytes: Buffer.byteLength(given.toWellFormed()) })
      }
    }),
    { numRuns: 60 },
  )
})

test('head and tail are whole lines, and what is between them is counted', async () => {
  const { put } = collect()
  const lines = Array.from({ length: 10_000 }, (_, i) => `line ${i}`)
  const { text: shown } = await limitBytes(wholly(Buffer.from(lines.join('\n'))), put, [])
  const note = /^\[… ([\d,]+) lines, ([\d,]+) bytes left out; all of it is kept: read blob:\S+\]$/m.exec(shown)!
  const [head, tail] = shown.split(note[0])
  const shownLines = [...head!.trimEnd().split('\n'), ...tail!.trimStart().split('\n')]
  expect(shownLines.every((one) => /^line \d+$/.test(one))).toBe(true)
  expect(Number(note[1]!.replaceAll(',', ''))).toBe(10_000 - shownLines.length)
  expect(shownLines.at(-1)).toBe('line 9999')
})

test('one endless line is cut between characters', async () => {
  const { put } = collect()
  const { text: shown } = await limitBytes(wholly(Buffer.from(`x${'ä€😀'.repeat(20_000)}`)), put, [])
  expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(MAX_BYTES)
  expect(shown).not.toContain('\ufffd')
})

test('a gap between head and tail is told of in what is kept, and tears no character', async () => {
  const { kept, put } = collect()
  const bytes = Buffer.from('😀'.repeat(30_000))
  const given = { head: bytes.subarray(0, 60_001), tail: bytes.subarray(-30_003), totalBytes: 5_000_000 }
  const { text: shown } = await limitBytes(given, put, [])
  expect(isUtf8(kept[0]!)).toBe(true)
  expect(kept[0]!.toString()).toMatch(/^(😀)+\n\[… 4910000 bytes were not kept\]\n(😀)+$/u)
  expect(shown).not.toContain('\ufffd')
  expect(shown).toContain('(4,910,000 bytes in the middle were too many to keep)')
})

test('text with a few bytes that are none is shown with a word about it', async () => {
  const { kept, put } = collect()
  const bytes = Buffer.from('file-one\0file-two\0file-three\0')
  const { text: shown, details } = await limitBytes(wholly(bytes), put, [])
  expect(shown).toMatch(/^file-one\ufffdfile-two\ufffdfile-three\ufffd\n\[not all of these 29 bytes are text/)
  expect(kept[0]).toEqual(bytes)
  expect(details).toEqual({ fullOutput: REF, totalBytes: 29 })
})

test('what takes more room as text than as bytes is within the limits all the same', async () => {
  const { put } = collect()
  const { text: shown } = await limitBytes(wholly(Buffer.from('abcdefg\0'.repeat(6000))), put, [])
  expect(shown).toContain('abcdefg\ufffdabcdefg')
  expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(MAX_BYTES)
})

test('control characters, half characters and NULs break nothing; images stay', async () => {
  const { put } = collect()
  const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const
  const fine: ToolOutput = { content: [{ type: 'text', text: 'a\u0007\u001b[31m\ud800' }, image], isError: true }
  expect(await limitOutput(fine, put, [])).toEqual({
    content: [{ type: 'text', text: 'a\u0007\u001b[31m\ufffd' }, image],
    isError: true,
  })
  const long: ToolOutput = { content: [image, { type: 'text', text: 'x\n'.repeat(9000) }], details: { mine: 1 } }
  const limited = await limitOutput(long, put, [])
  expect(limited.content[1]).toEqual(image)
  expect(limited.details).toEqual({ mine: 1, fullOutput: REF, totalBytes: 18_000 })
})

test('R3 a full disk loses the middle and not the output', async () => {
  const put = () => Promise.reject(new TreelineError('storage_full', 'the disk is full'))
  const { text: shown, details } = await limitBytes(wholly(Buffer.from('x\n'.repeat(90_000))), put, [])
  expect(shown).toContain('it could not be kept: the disk is full')
  expect(details).toEqual({ totalBytes: 180_000 })
})
