import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TextUpdate } from '../hub/text-update.ts'
import { runs } from '../testing/runs.ts'
import { Outbox, type Sink } from './outbox.ts'

const LIMITS = { queueBytes: 1_000, dropBytes: 5_000, closeBytes: 20_000 }

/** A socket whose other side reads when the test says so. */
class Valve implements Sink {
  writableLength = 0
  readonly sent: string[] = []
  private readonly sending: { readonly size: number; readonly onSent: (() => void) | undefined }[] = []

  write(bytes: Buffer, onSent?: () => void): void {
    this.sent.push(String(bytes))
    this.writableLength += bytes.length
    this.sending.push({ size: bytes.length, onSent })
  }

  /** Everything that is under way arrives. */
  open(): void {
    for (const { size, onSent } of this.sending.splice(0)) {
      this.writableLength -= size
      onSent?.()
    }
  }
}

function makeOutbox() {
  const sink = new Valve()
  const happened: string[] = []
  const outbox = new Outbox({
    sink,
    limits: LIMITS,
    onOverflow: () => {
      happened.push('overflow')
      outbox.close()
    },
    onDrained: () => happened.push('drained'),
  })
  return { sink, outbox, happened }
}

function update(id: string, contentChunk: string, offset: number): TextUpdate {
  const patch = { id, contentChunk, offset }
  return new TextUpdate({ type: 'node.content.updated', seq: null, ts: '', sessionId: 's', patch })
}

const bytesOf = ({ event }: TextUpdate) => Buffer.from(JSON.stringify({ events: [event] }))
const patchesIn = (sent: readonly string[]) =>
  sent.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text).events[0].patch)

test('while the socket takes it nothing waits', () => {
  const { sink, outbox } = makeOutbox()
  for (let i = 0; i < 10; i++) outbox.send(Buffer.from(`${i}`))
  expect(sink.sent).toEqual(Array.from('0123456789'))
  expect(outbox.isFull).toBe(false)
})

test('text that waits is put together, of each node by itself, and never moves past something else', () => {
  const { sink, outbox } = makeOutbox()
  outbox.send(Buffer.alloc(1_001, '-'))
  expect(outbox.isFull).toBe(true)
  for (const [id, chunk, offset] of [
    ['a', 'One ', 0],
    ['b', 'Eins ', 0],
    ['a', 'two ', 4],
    ['b', 'zwei', 5],
  ] as const)
    outbox.sendText(update(id, chunk, offset), bytesOf)
  outbox.send(Buffer.from('event'))
  outbox.sendText(update('a', 'three', 8), bytesOf)
  sink.open()
  expect(sink.sent[3]).toBe('event')
  expect(patchesIn(sink.sent)).toEqual([
    { id: 'a', contentChunk: 'One two ', offset: 0 },
    { id: 'b', contentChunk: 'Eins zwei', offset: 0 },
    { id: 'a', contentChunk: 'three', offset: 8 },
  ])
})

test('too much of it is left out, which is said; events never are', () => {
  const { sink, outbox, happened } = makeOutbox()
  outbox.send(Buffer.alloc(6_000, '-'))
  expect(outbox.sendText(update('a', 'One', 0), bytesOf)).toBe(false)
  outbox.send(Buffer.from('event'))
  sink.open()
  expect(sink.sent[1]).toBe('event')
  expect(happened).toEqual(['drained'])
  expect(outbox.sendText(update('a', 'two', 3), bytesOf)).toBe(true)
})

test('W6 far too much ends it, and nothing of it is kept', () => {
  const { sink, outbox, happened } = makeOutbox()
  for (let i = 0; i < 100; i++) outbox.send(Buffer.alloc(1_100, '-'))
  expect(happened).toEqual(['overflow'])
  expect(sink.sent).toHaveLength(1)
  expect(outbox.backlogBytes).toBe(sink.writableLength)
})

test('whoever can wait is told when there is room, or never will be', async () => {
  const { sink, outbox } = makeOutbox()
  outbox.send(Buffer.alloc(2_000, '-'))
  const room = outbox.room()
  sink.open()
  await room
  outbox.send(Buffer.alloc(2_000, '-'))
  const never = outbox.room()
  outbox.close()
  await never
})

test('property: whenever the other side reads, events come in order and texts without a gap; what waits is bounded', () => {
  const step = fc.oneof(
    fc.record({ what: fc.constant('event' as const), size: fc.integer({ min: 10, max: 2_000 }) }),
    fc.record({
      what: fc.constant('text' as const),
      node: fc.constantFrom('a', 'b'),
      size: fc.integer({ min: 1, max: 400 }),
    }),
    fc.constant({ what: 'read' as const }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const { sink, outbox, happened } = makeOutbox()
      const lengths = new Map<string, number>()
      const events: string[] = []
      for (const one of steps) {
        if (happened.includes('overflow')) break
        if (one.what === 'read') sink.open()
        else if (one.what === 'event') {
          events.push(`${events.length}`.padEnd(one.size, '-'))
          outbox.send(Buffer.from(events.at(-1)!))
        } else {
          const offset = lengths.get(one.node) ?? 0
          if (outbox.sendText(update(one.node, 'x'.repeat(one.size), offset), bytesOf)) {
            lengths.set(one.node, offset + one.size)
          }
        }
        expect(outbox.backlogBytes).toBeLessThanOrEqual(LIMITS.closeBytes)
      }
      for (let i = 0; i < steps.length; i++) sink.open()
      const told = sink.sent.filter((text) => !text.startsWith('{'))
      expect(told).toEqual(events.slice(0, told.length))
      if (!happened.includes('overflow')) expect(told).toHaveLength(events.length)
      const reached = new Map<string, number>()
      for (const { id, contentChunk, offset } of patchesIn(sink.sent)) {
        expect(offset).toBe(reached.get(id) ?? 0)
        reached.set(id, offset + contentChunk.length)
      }
    }),
    { numRuns: runs(100) },
  )
})
