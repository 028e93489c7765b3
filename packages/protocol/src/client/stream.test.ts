import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ChatEvent } from '../event.ts'
import type { ClientFrame, ServerFrame } from '../frame.ts'
import { openStream, type Socket } from './stream.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const SESSION = 's1'

/** The other end of a connection, driven by the test. */
class Line implements Socket {
  readyState = 0
  readonly sent: ClientFrame[] = []
  private readonly listeners = new Map<string, ((event: never) => void)[]>()

  addEventListener(type: string, listener: (event: never) => void): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener])
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }

  close(): void {
    this.drop()
  }

  open(): void {
    this.readyState = 1
    this.tell('open', {})
    this.say({
      t: 'welcome',
      connectionId: 'c1',
      protocol: 1,
      heartbeatMs: 20_000,
      maxFrameBytes: 1_048_576,
      ackWindow: 256,
    })
  }

  drop(): void {
    this.readyState = 3
    this.tell('close', {})
  }

  say(frame: ServerFrame): void {
    this.tell('message', { data: JSON.stringify(frame) })
  }

  /** What it was asked for last. */
  get asked() {
    const frames = this.sent.filter((frame) => frame.t === 'subscribe')
    return frames.at(-1)!
  }

  private tell(type: string, event: object): void {
    for (const listener of this.listeners.get(type) ?? []) listener(event as never)
  }
}

function line(seq: number): ServerFrame {
  const event = {
    type: 'entry.appended',
    seq,
    version: seq,
    ts: '',
    sessionId: SESSION,
    entryId: `e${seq}`,
    entryType: 'x',
  }
  return { t: 'events', seq, events: [event as ChatEvent] }
}

function connect(afterSeq?: number) {
  const lines: Line[] = []
  const seen: (number | null)[] = []
  const states: string[] = []
  const onSnapshotRequired = vi.fn()
  const stream = openStream({
    connect: () => {
      const made = new Line()
      lines.push(made)
      return made
    },
    onState: (state) => states.push(state),
  })
  const stop = stream.subscribe({
    sessionId: SESSION,
    ...(afterSeq !== undefined && { afterSeq }),
    onEvents: (events) => seen.push(...events.map(({ seq }) => seq)),
    onSnapshotRequired,
  })
  return { stream, stop, lines, seen, states, onSnapshotRequired }
}

test('it says hello, then asks from what is known on', () => {
  const { lines } = connect(40)
  lines[0]!.open()
  expect(lines[0]!.sent).toEqual([
    { t: 'hello', protocol: 1 },
    { t: 'subscribe', id: 1, sessionId: SESSION, afterSeq: 40, deltas: true },
  ])
})

test('W2 what is known is not told again; W3 a gap is asked for', () => {
  const { lines, seen } = connect(40)
  const [first] = lines
  first!.open()
  for (const seq of [41, 42, 41, 42]) first!.say(line(seq))
  expect(seen).toEqual([41, 42])
  first!.say(line(44))
  expect(seen).toEqual([41, 42])
  expect(first!.asked).toMatchObject({ afterSeq: 42 })
  for (const seq of [43, 44]) first!.say(line(seq))
  expect(seen).toEqual([41, 42, 43, 44])
})

test('W4 after a break it comes back and goes on where it was', () => {
  const { lines, seen, states } = connect(40)
  lines[0]!.open()
  lines[0]!.say(line(41))
  lines[0]!.drop()
  expect(states.at(-1)).toBe('waiting')
  vi.advanceTimersByTime(500)
  lines[1]!.open()
  expect(lines[1]!.asked).toMatchObject({ afterSeq: 41 })
  lines[1]!.say(line(42))
  expect(seen).toEqual([41, 42])
})

test('it waits longer each time, and never longer than half a minute', () => {
  const { lines } = connect(40)
  for (let tries = 0; tries < 12; tries++) {
    lines.at(-1)!.drop()
    vi.advanceTimersByTime(30_000)
    expect(lines).toHaveLength(tries + 2)
  }
})

test('when too much was missed it says so once, and is subscribed no more', () => {
  const { lines, seen, onSnapshotRequired } = connect(40)
  const [first] = lines
  first!.open()
  first!.say({ t: 'snapshot_required', id: 1, sessionId: SESSION, headSeq: 90_000, oldestSeq: 1, epoch: 'e' })
  expect(onSnapshotRequired).toHaveBeenCalledOnce()
  first!.say(line(90_001))
  expect(seen).toEqual([])
})

test('an answer to what was asked before does not count', () => {
  const { lines, stream, onSnapshotRequired } = connect(40)
  const [first] = lines
  first!.open()
  stream.subscribe({ sessionId: SESSION, afterSeq: 50, onEvents: () => {}, onSnapshotRequired: () => {} })
  first!.say({ t: 'snapshot_required', id: 1, sessionId: SESSION, headSeq: 90, oldestSeq: 1, epoch: 'e' })
  expect(onSnapshotRequired).not.toHaveBeenCalled()
})

test('W6 it tells the server how far it is', () => {
  const { lines } = connect(0)
  lines[0]!.open()
  for (let seq = 1; seq <= 250; seq++) lines[0]!.say(line(seq))
  expect(lines[0]!.sent.filter(({ t }) => t === 'ack')).toEqual([
    { t: 'ack', sessionId: SESSION, seq: 100 },
    { t: 'ack', sessionId: SESSION, seq: 200 },
  ])
})

test('what is closed stays closed', () => {
  const { lines, stream, states } = connect(40)
  lines[0]!.open()
  stream.close()
  vi.advanceTimersByTime(60_000)
  expect(lines).toHaveLength(1)
  expect(states.at(-1)).toBe('closed')
})

test('property: whatever is lost, doubled or cut off, every event comes once and in order', () => {
  const happening = fc.constantFrom('next', 'again', 'skip', 'drop')
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 80 }), (happenings) => {
      const { lines, seen } = connect(0)
      const at = () => lines.at(-1)!
      at().open()
      let sent = 0
      // Sends what a server would: from what was asked for last on.
      const replay = () => {
        const from = (at().asked as { afterSeq?: number }).afterSeq ?? 0
        for (let seq = from + 1; seq <= sent; seq++) at().say(line(seq))
      }
      for (const what of happenings) {
        const asks = at().sent.length
        if (what === 'drop') {
          at().drop()
          vi.advanceTimersByTime(30_000)
          at().open()
          replay()
        } else if (what === 'again') at().say(line(Math.max(1, sent)))
        else {
          sent += what === 'skip' ? 2 : 1
          at().say(line(sent))
          if (at().sent.length > asks && at().sent.at(-1)!.t === 'subscribe') replay()
        }
      }
      expect(seen).toEqual(Array.from({ length: seen.length }, (_, i) => i + 1))
      expect(seen.length).toBe(sent === 0 ? seen.length : sent)
    }),
  )
})
