import { checkCrc, type Entry, encodeLine } from '@treeline/core'
import { expect, test } from 'vitest'
import type { KnownLine } from './known-line.ts'
import { LineBuffer } from './line-buffer.ts'

const messageOf = (content: string) => ({ role: 'user', content })
const entryOf = (id: string, content: string): Entry => ({
  type: 'message',
  id,
  parentId: null,
  timestamp: '2026-01-02T03:04:05.678Z',
  message: messageOf(content),
})
const textOf = (lines: LineBuffer) => Buffer.from(lines.bytes).toString()

test('I1 a message is written as any entry is, byte for byte, however long', () => {
  const lines = new LineBuffer()
  const contents = ['plain', 'é漢\ud800"\\\n', 'x'.repeat(300_000), '漢'.repeat(200_000)]
  const wanted: Uint8Array[] = []
  for (const [i, content] of contents.entries()) {
    const entry = entryOf(`0000000${i}`, content)
    lines.addMessage(entry, JSON.stringify(entry.message))
    wanted.push(encodeLine(entry))
    expect(checkCrc(wanted[i]!.subarray(0, -1))).toBe('ok')
  }
  expect(Buffer.from(lines.bytes).equals(Buffer.concat(wanted))).toBe(true)
})

test('a request that is refused half way leaves nothing of its lines', () => {
  const lines = new LineBuffer()
  lines.addEntry(entryOf('00000001', 'kept'))
  const kept = textOf(lines)
  const mark = lines.mark()
  lines.addEntry(entryOf('00000002', 'refused'))
  lines.cutTo(mark)
  expect(textOf(lines)).toBe(kept)
  const taken: KnownLine[] = []
  expect(lines.pushTo({ pushLines: (some) => taken.push(...some) })).toBe(true)
  expect(taken).toMatchObject([{ start: 0, end: kept.length }])
  expect(lines.pushTo({ pushLines: (some) => taken.push(...some) })).toBe(false)
})

test('a line end that was lacking is nothing by itself: it is written and taken with the first line only', () => {
  const lines = new LineBuffer(true)
  expect(lines.isEmpty).toBe(true)
  expect(lines.pushTo({ pushLines: () => expect.unreachable() })).toBe(false)
  lines.addEntry(entryOf('00000001', 'first'))
  expect(lines.isEmpty).toBe(false)
  expect(textOf(lines).startsWith('\n{')).toBe(true)
})

test('D5 a copy stays as it is when the memory is used for other lines', () => {
  const lines = new LineBuffer()
  lines.addEntry(entryOf('00000001', 'first'))
  const before = textOf(lines)
  const copy = lines.copy()
  lines.giveBack()
  const others = new LineBuffer()
  others.addEntry(entryOf('00000002', 'other'))
  expect(Buffer.from(copy).toString()).toBe(before)
  expect(textOf(others)).toContain('other')
})
