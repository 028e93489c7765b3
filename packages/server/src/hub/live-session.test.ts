import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import type { Frame } from './frame.ts'
import type { LiveListener, LiveSession } from './live-session.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

async function hold(sessionId: string): Promise<LiveSession> {
  const lease = await server.server.services.hub.acquire(sessionId)
  onTestFinished(() => lease[Symbol.dispose]())
  return lease.live
}

class Listener implements LiveListener {
  readonly heard: string[] = []
  onFrame({ seq, events }: Frame): void {
    this.heard.push(`${seq} ${events[0]!.type}`)
  }
  onText(): void {
    this.heard.push('text')
  }
  onReset(): void {
    this.heard.push('reset')
  }
  onGone(isDeleted: boolean): void {
    this.heard.push(isDeleted ? 'deleted' : 'lost')
  }
}

async function framesOf(live: LiveSession, afterSeq: number): Promise<Frame[]> {
  const frames: Frame[] = []
  for await (const frame of live.replay(afterSeq)) frames.push(frame)
  return frames
}

const say = ({ session }: LiveSession, content: string) =>
  session.append({ type: 'message', message: { role: 'user', content, timestamp: Date.now() } })

/** The disk says no, until the function it gives is called. */
function breakReading({ session }: LiveSession): () => void {
  session.readEntries = () => Promise.reject(new Error('EIO: i/o error, read'))
  return () => Reflect.deleteProperty(session, 'readEntries')
}

test('W3 a line that cannot be read for a moment is never passed over: who wants it is told that it is missing', async () => {
  const live = await hold(await server.say('One', 'Two'))
  const listener = new Listener()
  const stop = live.listen(listener)
  onTestFinished(stop)
  const mend = breakReading(live)
  await expect(framesOf(live, 1)).rejects.toThrow('EIO')
  await say(live, 'Three')
  await live.caughtUp()
  expect(listener.heard).toEqual(['reset'])
  mend()
  expect((await framesOf(live, 1)).map(({ events }) => events[0]!.type)).toEqual(Array(3).fill('node.created'))
  await say(live, 'Four')
  await live.caughtUp()
  expect(listener.heard).toEqual(['reset', '5 node.created'])
})

test('one listener that fails is let go of, and the others hear all', async () => {
  const live = await hold(await server.say('One'))
  const broken = new Listener()
  const fail = () => {
    throw new Error('broken')
  }
  Object.assign(broken, { onFrame: fail, onText: fail })
  const listeners = [new Listener(), broken, new Listener()]
  for (const listener of listeners) onTestFinished(live.listen(listener))
  live.texts.open(live.session.leafId!)
  live.texts.add(live.session.leafId!, 'text', 'Hello')
  live.texts.flush()
  await say(live, 'Two')
  await live.caughtUp()
  expect(listeners.map(({ heard }) => heard)).toEqual([
    ['text', '3 node.created'],
    ['lost'],
    ['text', '3 node.created'],
  ])
})

test('W6 what everybody who comes back wants is there once, not once for each', async () => {
  const live = await hold(await server.say('One', 'Two'))
  const [first, second] = [await framesOf(live, 1), await framesOf(live, 1)]
  expect(second.map(({ wire }) => wire)).toEqual(first.map(({ wire }) => wire))
  for (const [i, { wire }] of second.entries()) expect(wire).toBe(first[i]!.wire)
})

test('T32 what is too long for a frame is cut, and said to be', async () => {
  const live = await hold(await server.say('One'))
  const part = { type: 'text' as const, text: '\u0001'.repeat(100_000) }
  await live.session.append({
    type: 'message',
    message: { role: 'user', content: [part, part, part, part], timestamp: Date.now() },
  })
  await live.caughtUp()
  const [frame] = await framesOf(live, 2)
  expect(frame!.bytes.byteLength).toBeLessThan(1024 * 1024)
  expect(frame!.events[0]).toMatchObject({ type: 'node.created', node: { contentTruncated: true } })
})

test('text that comes all at once is told in pieces that everybody takes', async () => {
  const live = await hold(await server.say('One'))
  const nodeId = live.session.leafId!
  const sizes: number[] = []
  let told = ''
  const listener = new Listener()
  listener.onText = (update?: { wire: Buffer; event: { patch: { contentChunk: string; offset: number } } }) => {
    sizes.push(update!.wire.length)
    expect(update!.event.patch.offset).toBe(told.length)
    told += update!.event.patch.contentChunk
  }
  onTestFinished(live.listen(listener))
  live.texts.open(nodeId)
  const said = '\u0001😀'.repeat(150_000)
  live.texts.add(nodeId, 'text', said)
  live.texts.flush()
  expect(told).toBe(said)
  expect(Math.max(...sizes)).toBeLessThan(1024 * 1024)
})
