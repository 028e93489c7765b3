import { expect, test } from 'vitest'
import { TextFrame } from './text-frame.ts'

/** Of `ws`, whose types do not know of it. */
const { Sender } = (await import('ws')) as unknown as {
  readonly Sender: { frame(data: Buffer, options: object): readonly Buffer[] }
}

test.each([0, 1, 125, 126, 65_535, 65_536, 200_000])('%i bytes are framed as `ws` frames them', (size) => {
  const text = 'x'.repeat(size)
  const options = { fin: true, opcode: 1, mask: false, readOnly: true, rsv1: false }
  const theirs = Buffer.concat(Sender.frame(Buffer.from(text), options))
  const ours = new TextFrame(text)
  expect(ours.wire.equals(theirs)).toBe(true)
  expect(ours.bytes.toString()).toBe(text)
})

test('text is counted in bytes, not in characters', () => {
  const { wire, bytes } = new TextFrame('😀'.repeat(40))
  expect(wire[1]).toBe(126)
  expect(bytes.toString()).toBe('😀'.repeat(40))
})
