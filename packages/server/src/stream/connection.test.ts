import { rmSync } from 'node:fs'
import { CLOSE, type ClientFrame, type ServerFrame } from '@treeline/protocol'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { LiveSession } from '../hub/live-session.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { connectRaw, type RawClient } from './testing/raw-client.ts'

let server: TestServer
beforeAll(async () => {
  const stream = { helloMs: 150, heartbeatMs: 150, subscriptions: 3, frameBurst: 200, framesPerSecond: 10 }
  server = await startTestServer({ listening: { stream }, limits: { eventsBehind: 50 } })
})
afterAll(() => server[Symbol.asyncDispose]())

async function connect(token = server.token): Promise<RawClient> {
  const client = await connectRaw({ url: server.url, token })
  onTestFinished(() => client.socket.terminate())
  return client
}

/** The session as the server has it, kept open. */
async function liveOf(sessionId: string): Promise<LiveSession> {
  const lease = await server.server.services.hub.acquire(sessionId)
  onTestFinished(() => lease[Symbol.dispose]())
  return lease.live
}

/** As another process writes: through a store handle of its own. */
async function append(sessionId: string, count: number): Promise<void> {
  await using session = await server.store.open(sessionId)
  for (let i = 0; i < count; i++) {
    await session.append({ type: 'message', message: { role: 'user', content: `More ${i}`, timestamp: Date.now() } })
  }
}

function follow(client: RawClient, sessionId: string, more: object = {}): void {
  client.say({ t: 'subscribe', id: 1, sessionId, ...more })
}

const kinds = (frames: readonly ServerFrame[]) => frames.map(({ t }) => t)
const textsIn = (frames: readonly ServerFrame[]) =>
  frames.flatMap((frame) => (frame.t === 'events' ? frame.events : [])).filter(({ seq }) => seq === null)

describe('hello', () => {
  test('is answered with what counts here', async () => {
    const client = await connect()
    expect(client.frames[0]).toMatchObject({ t: 'welcome', protocol: 1, heartbeatMs: 150, ackWindow: 256 })
  })

  test('must come in time', async () => {
    const client = await connectRaw(server, { hello: false })
    expect(await client.closed).toBe(CLOSE.helloTimeout)
  })

  test('comes first, and once', async () => {
    const early = await connectRaw(server, { hello: false })
    early.say({ t: 'ping', n: 1 })
    expect(await early.closed).toBe(CLOSE.protocolError)
    const twice = await connect()
    twice.say({ t: 'hello', protocol: 1 })
    expect(await twice.closed).toBe(CLOSE.protocolError)
  })
})

describe('what is no frame closes the connection', () => {
  test.each([
    ['no JSON', '{"t":'],
    ['another kind', '{"t":"shutdown"}'],
    ['another version', '{"t":"hello","protocol":2}'],
    ['a field too many', '{"t":"ping","n":1,"x":1}'],
    ['no id of ours', '{"t":"subscribe","id":1,"sessionId":"../etc"}'],
    ['deep', '['.repeat(100_000)],
    ['bytes', Buffer.from('{"t":"ping","n":1}')],
  ])('%s', async (_, data) => {
    const client = await connect()
    client.socket.send(data)
    expect(await client.closed).toBe(CLOSE.protocolError)
  })

  test('one that is too large', async () => {
    const client = await connect()
    client.socket.send(`{"t":"ping","n":1${' '.repeat(1024 * 1024)}}`)
    expect(await client.closed).toBe(1009)
  })

  test('too many of them', async () => {
    const client = await connect()
    for (let n = 0; n < 400; n++) client.say({ t: 'ping', n })
    expect(await client.closed).toBe(CLOSE.protocolError)
  })
})

test('whoever answers no ping is gone, whoever does stays', async () => {
  const [here, gone] = await Promise.all([connect(), connect()])
  const raw = gone!.socket as unknown as { _autoPong: boolean }
  raw._autoPong = false
  expect(await gone!.closed).toBe(1006)
  here!.say({ t: 'ping', n: 3 })
  expect(await here!.until('pong')).toEqual({ t: 'pong', n: 3 })
})

describe('a subscription', () => {
  test('W1 W3 tells what was missed, then what happens, in order and without a gap', async () => {
    const sessionId = await server.say('One', 'Two', 'Three')
    const client = await connect()
    follow(client, sessionId, { afterSeq: 2 })
    await client.until('replay_done')
    expect(kinds(client.frames)).toEqual(['welcome', 'subscribed', 'events', 'events', 'replay_done'])
    expect(client.frames[1]).toMatchObject({ id: 1, sessionId, headSeq: 4, replayFrom: 3 })
    await append(sessionId, 3)
    await client.until('events', ({ seq }) => seq === 7)
    expect(client.seqs).toEqual([3, 4, 5, 6, 7])
    for (const frame of client.frames) {
      if (frame.t === 'events') for (const event of frame.events) expect(event.seq).toBe(frame.seq)
    }
  })

  test('from the beginning, from nowhere in particular, and from what is known already', async () => {
    const sessionId = await server.say('One', 'Two')
    const client = await connect()
    follow(client, sessionId, { afterSeq: 0 })
    expect(await client.until('subscribed')).toMatchObject({ replayFrom: 2 })
    await client.until('replay_done')
    expect(client.seqs).toEqual([2, 3])
    const other = await connect()
    follow(other, sessionId)
    expect(await other.until('replay_done')).toMatchObject({ seq: 3 })
    expect(other.seqs).toEqual([])
    await append(sessionId, 1)
    await other.until('events')
    expect(other.seqs).toEqual([4])
  })

  test('W4 what cannot be replayed is said to be', async () => {
    const sessionId = await server.say('One')
    await append(sessionId, 60)
    const live = await liveOf(sessionId)
    for (const asked of [{ afterSeq: 3 }, { afterSeq: 1_000 }, { afterSeq: 60, epoch: 'another' }]) {
      const client = await connect()
      follow(client, sessionId, asked)
      expect(await client.until('snapshot_required')).toMatchObject({ id: 1, sessionId, headSeq: 62, oldestSeq: 2 })
      expect(kinds(client.frames)).not.toContain('subscribed')
    }
    const client = await connect()
    follow(client, sessionId, { afterSeq: 60, epoch: live.epoch })
    await client.until('replay_done')
    expect(client.seqs).toEqual([61, 62])
  })

  test('made anew begins anew, and ends when it is no longer wanted', async () => {
    const sessionId = await server.say('One', 'Two')
    const client = await connect()
    follow(client, sessionId, { afterSeq: 2 })
    await client.until('replay_done')
    client.say({ t: 'subscribe', id: 2, sessionId, afterSeq: 1 })
    await client.until('subscribed', ({ id }) => id === 2)
    await client.until('events', ({ seq }) => seq === 2)
    client.say({ t: 'unsubscribe', id: 3, sessionId })
    await client.until('ok', ({ id }) => id === 3)
    const { metrics } = server.server.services
    await append(sessionId, 1)
    client.say({ t: 'ping', n: 1 })
    await client.until('pong')
    expect(client.seqs).not.toContain(4)
    await expect.poll(() => metrics.render()).toMatch(/^treeline_subscriptions 0$/m)
  })

  test('several at once do not mix, and there are not too many', async () => {
    const ids = await Promise.all([1, 2, 3, 4].map((n) => server.say(`Session ${n}`)))
    const client = await connect()
    for (const [id, sessionId] of ids.entries()) client.say({ t: 'subscribe', id, sessionId, afterSeq: 1 })
    expect(await client.until('error')).toMatchObject({ id: 3, problem: { code: 'rate_limited', status: 429 } })
    await Promise.all(ids.slice(0, 3).map((id) => append(id, 2)))
    for (const id of ids.slice(0, 3))
      await client.until('events', ({ seq, events }) => seq === 4 && events[0]?.sessionId === id)
    for (const id of ids) {
      const seqs = client.frames.flatMap((frame) =>
        frame.t === 'events' && frame.events[0]?.sessionId === id ? [frame.seq] : [],
      )
      expect(seqs).toEqual(id === ids[3] ? [] : [2, 3, 4])
    }
  })

  test('of what is not there is refused', async () => {
    const client = await connect()
    follow(client, 'no-such-session', { afterSeq: 1 })
    expect(await client.until('error')).toMatchObject({ id: 1, problem: { code: 'session_not_found', status: 404 } })
  })

  test('of a session that is deleted ends with saying so, and the connection with the last', async () => {
    const [one, two] = [await server.say('One'), await server.say('Two')]
    const client = await connect()
    follow(client, one)
    client.say({ t: 'subscribe', id: 2, sessionId: two })
    await client.until('replay_done', ({ sessionId }) => sessionId === two)
    await server.server.services.hub.evict(one)
    await client.until('events', ({ events }) => events[0]?.type === 'session.deleted')
    await append(two, 1)
    await client.until('events', ({ events }) => events[0]?.sessionId === two)
    // As another process removes it.
    rmSync((await liveOf(two)).session.path)
    expect(await client.closed).toBe(CLOSE.sessionDeleted)
    const last = client.frames.at(-1)
    expect(last).toMatchObject({ seq: 4, events: [{ type: 'session.deleted', sessionId: two, seq: 4 }] })
  })
})

describe('text on its way', () => {
  /** A node whose text the test says. */
  async function speaking(): Promise<{ sessionId: string; nodeId: string; live: LiveSession }> {
    const sessionId = await server.say('One', 'Two')
    const live = await liveOf(sessionId)
    const nodeId = live.session.leafId!
    live.texts.open(nodeId)
    return { sessionId, nodeId, live }
  }

  test('comes whole once, then piece by piece from there, also what was thought', async () => {
    const { sessionId, nodeId, live } = await speaking()
    live.texts.add(nodeId, 'thinking', 'Hm. ')
    live.texts.add(nodeId, 'text', 'So far ')
    live.texts.flush()
    live.texts.add(nodeId, 'text', 'so good 😀'.slice(0, -1))
    const client = await connect()
    follow(client, sessionId)
    await client.until('replay_done')
    live.texts.add(nodeId, 'text', '😀'.slice(1))
    live.texts.flush()
    await client.until('events', () => textsIn(client.frames).length === 3)
    expect(textsIn(client.frames)).toMatchObject([
      { type: 'node.content.updated', patch: { contentChunk: 'Hm. ', offset: 0, partType: 'thinking' } },
      { type: 'node.content.snapshot', id: nodeId, content: 'So far ', contentLength: 7 },
      { type: 'node.content.updated', patch: { id: nodeId, contentChunk: 'so good 😀', offset: 7 } },
    ])
  })

  test('of long answers comes in frames that everybody takes', async () => {
    const { sessionId, nodeId, live } = await speaking()
    const said = '\u0001😀'.repeat(150_000)
    live.texts.add(nodeId, 'text', said)
    live.texts.flush()
    const client = await connect()
    follow(client, sessionId)
    await client.until('replay_done')
    let text = ''
    for (const event of textsIn(client.frames)) {
      if (event.type === 'node.content.snapshot') {
        text = event.content
        expect(event.contentLength).toBe(said.length)
      } else if (event.type === 'node.content.updated') {
        expect(event.patch.offset).toBe(text.length)
        text += event.patch.contentChunk
      }
      expect(JSON.stringify(event).length).toBeLessThan(1024 * 1024)
    }
    expect(text).toBe(said)
  })

  test('is left out on request, and for other nodes than asked for', async () => {
    const { sessionId, nodeId, live } = await speaking()
    const [without, others, paused] = await Promise.all([connect(), connect(), connect()])
    follow(without!, sessionId, { deltas: false })
    follow(others!, sessionId, { nodeIds: ['another'] })
    paused!.say({ t: 'pause' })
    follow(paused!, sessionId)
    for (const client of [without!, others!, paused!]) await client.until('replay_done')
    live.texts.add(nodeId, 'text', 'Hello')
    live.texts.flush()
    await append(sessionId, 1)
    for (const client of [without!, others!, paused!]) {
      await client.until('events', ({ seq }) => seq === 4)
      expect(textsIn(client.frames)).toEqual([])
    }
    paused!.say({ t: 'resume' })
    await paused!.until('events', ({ seq }) => seq === null)
    expect(textsIn(paused!.frames)).toMatchObject([{ type: 'node.content.snapshot', content: 'Hello' }])
  })

  test('is said again when asked for, unless it has ended', async () => {
    const { sessionId, nodeId, live } = await speaking()
    const client = await connect()
    const ask = (id: number, node: string): ClientFrame => ({ t: 'resync', id, sessionId, nodeId: node, from: 2 })
    client.say(ask(1, nodeId))
    expect(await client.until('error')).toMatchObject({ id: 1, problem: { code: 'bad_request' } })
    follow(client, sessionId)
    await client.until('replay_done')
    live.texts.add(nodeId, 'text', 'Hello')
    live.texts.flush()
    client.say(ask(2, nodeId))
    await client.until('ok', ({ id }) => id === 2)
    expect(textsIn(client.frames).at(-1)).toMatchObject({ type: 'node.content.snapshot', content: 'Hello' })
    client.say(ask(3, 'another'))
    expect(await client.until('error', ({ id }) => id === 3)).toMatchObject({
      problem: { code: 'generation_finished' },
    })
  })
})

test('T33 T34 with aliases the other names go along, and many are told one by one', async () => {
  const sessionId = await server.say('One', 'Two')
  const live = await liveOf(sessionId)
  const { tree } = live.session
  const ids = [2, 3].map((seq) => tree.ids.textOf(tree.refAtRow(seq - 2)))
  live.texts.open(ids[1]!)
  const [plain, aliased] = await Promise.all([connect(), connect()])
  follow(plain!, sessionId)
  follow(aliased!, sessionId, { aliases: true })
  for (const client of [plain!, aliased!]) await client.until('replay_done')
  live.texts.add(ids[1]!, 'text', 'Hello')
  live.texts.flush()
  await live.session.edit({ operations: [{ op: 'mute', nodeIds: ids }] })
  for (const client of [plain!, aliased!]) await client.until('events', ({ seq }) => seq === 4)
  const statesIn = ({ frames }: RawClient) =>
    frames.flatMap((frame) => (frame.t === 'events' && frame.seq === 4 ? frame.events : []))
  expect(statesIn(plain!)).toMatchObject([{ type: 'nodes.state.updated' }])
  expect(statesIn(aliased!)).toMatchObject([
    { type: 'node.state.updated', seq: 4, patch: { id: ids[0], isEnabled: false }, part: { i: 0, n: 2 } },
    { type: 'node.state.updated', seq: 4, patch: { id: ids[1], isEnabled: false }, part: { i: 1, n: 2 } },
  ])
  expect(textsIn(plain!.frames).at(-1)).toMatchObject({ type: 'node.content.updated' })
  expect(textsIn(plain!.frames).at(-1)).not.toHaveProperty('alias')
  expect(textsIn(aliased!.frames).at(-1)).toMatchObject({ type: 'node.content.updated', alias: 'message.update' })
})

test('to cancel needs the scope, and something to cancel', async () => {
  const reader = await connect(await server.credentials.createToken({ name: 'reader', scope: 'read' }))
  reader.say({ t: 'cancel', id: 5, generationId: 'g1' })
  expect(await reader.until('error')).toMatchObject({ id: 5, problem: { code: 'forbidden', status: 403 } })
  const writer = await connect()
  writer.say({ t: 'cancel', id: 6, generationId: 'g1' })
  expect(await writer.until('error')).toMatchObject({ id: 6, problem: { code: 'generation_not_found' } })
})

test('whoever follows the list hears which sessions change', async () => {
  const client = await connect()
  client.say({ t: 'subscribe_list', id: 1 })
  await client.until('ok')
  const sessionId = await server.say('New')
  const live = await liveOf(sessionId)
  await live.session.edit({ operations: [{ op: 'mute', nodeIds: [live.session.leafId!] }] })
  await client.until('sessions.updated', ({ ids }) => ids.includes(sessionId))
  client.say({ t: 'unsubscribe_list', id: 2 })
  await client.until('ok', ({ id }) => id === 2)
})

test('a server that stops says so, after what was queued, and clients come back later', async () => {
  const stopping = await startTestServer()
  const sessionId = await stopping.say('One')
  const client = await connectRaw(stopping)
  follow(client, sessionId, { afterSeq: 1 })
  await client.until('replay_done')
  await stopping[Symbol.asyncDispose]()
  expect(await client.closed).toBe(CLOSE.restart)
  expect(client.frames.at(-1)).toMatchObject({ t: 'bye', code: CLOSE.restart })
  expect(client.seqs).toEqual([2])
})
