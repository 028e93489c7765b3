import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ChatEvent } from '../event.ts'
import type { ClientFrame, ServerFrame } from '../frame.ts'
import type { Problem } from '../problem.ts'
import { openStream, type Socket } from './stream.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const SESSION = 's1'

/** The other end of a connection, driven by the test. */
class Line implements Socket {
  readyState = 0
  /** Whether it says `subscribed` by itself. */
  answers = true
  readonly sent: ClientFrame[] = []
  private readonly listeners = new Map<string, ((event: never) => void)[]>()

  addEventListener(type: string, listener: (event: never) => void): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener])
  }

  send(text: string): void {
    const frame = JSON.parse(text) as ClientFrame
    this.sent.push(frame)
    if (frame.t === 'subscribe' && this.answers) this.answer(frame)
  }

  answer({ id, sessionId, afterSeq = 0 }: Extract<ClientFrame, { t: 'subscribe' }>): void {
    this.say({ t: 'subscribed', id, sessionId, headSeq: afterSeq, replayFrom: afterSeq + 1, epoch: 'e' })
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

  drop(code = 1006): void {
    this.readyState = 3
    this.tell('close', { code })
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

const line41 = { seq: 41, version: 41, ts: '', sessionId: SESSION }

function text(patch: { id: string; contentChunk: string; offset: number }): ServerFrame {
  const event = { type: 'node.content.updated', seq: null, ts: '', sessionId: SESSION, patch } as const
  return { t: 'events', seq: null, events: [event] }
}

function snapshot(id: string, content: string): ServerFrame {
  const common = { seq: null, ts: '', sessionId: SESSION }
  const contentLength = content.length
  return { t: 'events', seq: null, events: [{ ...common, type: 'node.content.snapshot', id, content, contentLength }] }
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
  const onGone = vi.fn()
  const problems: Problem[] = []
  const texts: ChatEvent[] = []
  const stream = openStream({
    connect: () => {
      const made = new Line()
      lines.push(made)
      return made
    },
    onState: (state) => states.push(state),
    onProblem: (problem) => problems.push(problem),
  })
  const stop = stream.subscribe({
    sessionId: SESSION,
    ...(afterSeq !== undefined && { afterSeq }),
    onEvents: (events) => {
      for (const event of events) event.seq === null ? texts.push(event) : seen.push(event.seq)
    },
    onSnapshotRequired,
    onGone,
  })
  return { stream, stop, lines, seen, texts, states, problems, onSnapshotRequired, onGone }
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
  vi.advanceTimersByTime(1_000)
  expect(lines[0]!.sent.at(-1)).toEqual({ t: 'ack', sessionId: SESSION, seq: 250 })
  vi.advanceTimersByTime(10_000)
  expect(lines[0]!.sent.filter(({ t }) => t === 'ack')).toHaveLength(3)
})

test('what is in flight of an earlier request is not taken for the later one', () => {
  const { lines, seen } = connect(40)
  const [first] = lines
  first!.answers = false
  first!.open()
  first!.say(line(60))
  expect(seen).toEqual([])
  first!.answer(first!.asked)
  first!.say(line(41))
  expect(seen).toEqual([41])
})

test('the end of what an earlier request brought is not taken for that of the later one', () => {
  const { lines, stream } = connect(40)
  const onLive = vi.fn()
  stream.subscribe({ sessionId: SESSION, afterSeq: 40, onEvents: () => {}, onSnapshotRequired: () => {}, onLive })
  const [first] = lines
  first!.open()
  first!.answers = false
  // A gap: it is asked for anew, while the end of the first is on its way.
  first!.say(line(43))
  first!.say({ t: 'replay_done', sessionId: SESSION, seq: 43 })
  expect(onLive).not.toHaveBeenCalled()
  first!.answer(first!.asked)
  first!.say({ t: 'replay_done', sessionId: SESSION, seq: 43 })
  expect(onLive).toHaveBeenCalledOnce()
})

test('nothing is left running after a close, whenever it comes', () => {
  for (const before of ['connecting', 'open', 'acking', 'waiting']) {
    const { lines, stream } = connect(40)
    if (before !== 'connecting') lines[0]!.open()
    if (before === 'acking') lines[0]!.say(line(41))
    if (before === 'waiting') lines[0]!.drop()
    stream.close()
    expect(vi.getTimerCount(), before).toBe(0)
    stream.subscribe({ sessionId: 's2', onEvents: () => {}, onSnapshotRequired: () => {} })
    expect(vi.getTimerCount(), before).toBe(0)
  }
})

test('one who listens to the list and fails does not keep the others from hearing', () => {
  const { lines, stream } = connect(40)
  const heard = vi.fn()
  stream.followList(() => {
    throw new Error('broken')
  })
  stream.followList(heard)
  lines[0]!.open()
  expect(() => lines[0]!.say({ t: 'sessions.updated', ts: '', ids: ['s1'] })).toThrow('broken')
  expect(heard).toHaveBeenCalledExactlyOnceWith(['s1'])
})

test('of a log that is read from its beginning the first event may have any number', () => {
  const { lines, seen } = connect(0)
  const [first] = lines
  first!.answers = false
  first!.open()
  first!.say({ t: 'subscribed', id: 1, sessionId: SESSION, headSeq: 3, replayFrom: 2, epoch: 'e' })
  for (const seq of [2, 3]) first!.say(line(seq))
  expect(seen).toEqual([2, 3])
  expect(first!.sent.filter(({ t }) => t === 'subscribe')).toHaveLength(1)
})

test('text that leaves a gap is held back and asked for anew, once', () => {
  const { lines, texts } = connect(40)
  const [first] = lines
  first!.open()
  const piece = (contentChunk: string, offset: number) => first!.say(text({ id: 'n1', contentChunk, offset }))
  piece('ab', 0)
  piece('ef', 4)
  piece('gh', 6)
  expect(texts).toHaveLength(1)
  expect(first!.sent.filter(({ t }) => t === 'resync')).toEqual([
    { t: 'resync', id: 2, sessionId: SESSION, nodeId: 'n1', from: 2 },
  ])
  first!.say(snapshot('n1', 'abcdefgh'))
  piece('ij', 8)
  expect(texts.map(({ type }) => type)).toEqual([
    'node.content.updated',
    'node.content.snapshot',
    'node.content.updated',
  ])
})

test('a session that is gone is said to be, and not asked for again', () => {
  const { lines, onGone, seen } = connect(40)
  lines[0]!.open()
  lines[0]!.say({ t: 'events', seq: 41, events: [{ ...line41, type: 'session.deleted' }] })
  expect(seen).toEqual([41])
  expect(onGone).toHaveBeenCalledExactlyOnceWith(undefined)
  lines[0]!.drop(4010)
  vi.advanceTimersByTime(30_000)
  lines[1]!.open()
  expect(lines[1]!.sent.map(({ t }) => t)).toEqual(['hello'])
})

test('one that is not there is said to be gone, with why; other refusals are told apart', () => {
  const { lines, onGone, problems, stream } = connect(40)
  const [first] = lines
  first!.answers = false
  first!.open()
  const problem = { type: 'about:blank#x', title: 'x', status: 404, code: 'session_not_found', requestId: 'r' }
  stream.cancel('g1')
  first!.say({ t: 'error', id: 2, problem: { ...problem, code: 'generation_not_found' } })
  expect(problems).toMatchObject([{ code: 'generation_not_found' }])
  first!.say({ t: 'error', id: 1, problem })
  expect(onGone).toHaveBeenCalledExactlyOnceWith(problem)
  expect(problems).toHaveLength(1)
})

test('the list is followed across breaks, after which anything may have changed', () => {
  const { lines, stream } = connect(40)
  const told: (readonly string[] | undefined)[] = []
  const stop = stream.followList((ids) => told.push(ids))
  lines[0]!.open()
  expect(lines[0]!.sent.at(-1)).toMatchObject({ t: 'subscribe_list' })
  lines[0]!.say({ t: 'sessions.updated', ts: '', ids: ['s1', 's2'] })
  lines[0]!.drop()
  vi.advanceTimersByTime(500)
  lines[1]!.open()
  expect(told).toEqual([['s1', 's2'], undefined])
  stop()
  expect(lines[1]!.sent.at(-1)).toMatchObject({ t: 'unsubscribe_list' })
})

test('a server that says nothing any more is left, and looked for again', () => {
  const { lines, states } = connect(40)
  lines[0]!.open()
  vi.advanceTimersByTime(40_000)
  expect(lines[0]!.sent.filter(({ t }) => t === 'ping')).toHaveLength(2)
  expect(lines[0]!.readyState).toBe(1)
  vi.advanceTimersByTime(20_000)
  expect(lines[0]!.readyState).toBe(3)
  expect(states.at(-1)).toBe('waiting')
  vi.advanceTimersByTime(500)
  expect(lines).toHaveLength(2)
})

test('whoever is not let in any more does not come back', () => {
  const { lines, states } = connect(40)
  lines[0]!.open()
  lines[0]!.drop(4001)
  vi.advanceTimersByTime(60_000)
  expect(lines).toHaveLength(1)
  expect(states.at(-1)).toBe('closed')
})

test('a connection that breaks at once each time is asked for less and less often', () => {
  const { lines } = connect(40)
  for (let tries = 0; tries < 4; tries++) {
    lines.at(-1)!.open()
    lines.at(-1)!.drop(4002)
    vi.advanceTimersByTime(500 * 2 ** tries)
  }
  expect(lines).toHaveLength(5)
  lines.at(-1)!.open()
  lines.at(-1)!.drop(4002)
  vi.advanceTimersByTime(500)
  expect(lines).toHaveLength(5)
})

test('without text for a while, also after a break', () => {
  const { lines, stream } = connect(40)
  lines[0]!.open()
  stream.pause()
  lines[0]!.drop()
  vi.advanceTimersByTime(500)
  lines[1]!.open()
  expect(lines[1]!.sent.map(({ t }) => t)).toEqual(['hello', 'pause', 'subscribe'])
  stream.resume()
  expect(lines[1]!.sent.at(-1)).toEqual({ t: 'resume' })
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
