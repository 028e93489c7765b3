import { CLOSE } from '@treeline/protocol'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { connectRaw, type RawClient } from './testing/raw-client.ts'

/** More than the system keeps for a socket that nobody reads. */
const MANY = 65
const LARGE = 'x'.repeat(200_000)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ listening: { stream: { closingMs: 5_000 } } })
})
afterAll(() => server[Symbol.asyncDispose]())

async function follow(from: TestServer, sessionId: string): Promise<RawClient> {
  const client = await connectRaw(from)
  onTestFinished(() => client.socket.terminate())
  client.say({ t: 'subscribe', id: 1, sessionId })
  await client.until('replay_done')
  return client
}

async function append(from: TestServer, sessionId: string, count: number, content: string): Promise<number> {
  await using session = await from.store.open(sessionId)
  for (let i = 0; i < count; i++) {
    await session.append({ type: 'message', message: { role: 'user', content, timestamp: Date.now() } })
  }
  return session.seq
}

const upTo = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)

test('W6 whoever does not read is dropped, and nobody else waits', async () => {
  const sessionId = await server.say('One')
  const [reading, slow] = await Promise.all([follow(server, sessionId), follow(server, sessionId)])
  slow!.socket.pause()
  const { metrics } = server.server.services
  let head = 0
  for (let i = 0; i < MANY && !metrics.render().includes('slow_consumers'); i++) {
    head = await append(server, sessionId, 1, LARGE)
    await reading!.until('events', ({ seq }) => seq === head)
  }
  expect(metrics.render()).toMatch(/^treeline_slow_consumers_total 1$/m)
  slow!.socket.resume()
  expect(await slow!.closed).toBe(CLOSE.slowConsumer)
  expect(reading!.seqs).toEqual(upTo(3, head))
  // It has seen the first of them, in order, and can go on from there.
  expect(slow!.seqs).toEqual(upTo(3, slow!.seqs.at(-1)!))
})

test('W6 clients that each keep within their bounds are dropped when together they leave too much', async () => {
  const stream = { sharedBytes: 4 * 1024 * 1024, closeBytes: 1e9, closingMs: 5_000 }
  await using full = await startTestServer({ listening: { stream } })
  const [one, two] = [await full.say('One'), await full.say('Two')]
  const [reading, slow, slower] = await Promise.all([follow(full, one), follow(full, one), follow(full, two)])
  for (const client of [slow!, slower!]) client.socket.pause()
  await append(full, two, MANY, LARGE)
  slower!.socket.resume()
  expect(await slower!.closed).toBe(CLOSE.slowConsumer)
  const head = await append(full, one, 2, LARGE)
  slow!.socket.resume()
  for (const client of [reading!, slow!]) await client.until('events', ({ seq }) => seq === head)
})

test('text is left out for whoever is behind, who gets it whole when there is room again', async () => {
  const limits = { queueBytes: 4_096, dropBytes: 65_536, closeBytes: 64 * 1024 * 1024 }
  await using patient = await startTestServer({ listening: { stream: limits } })
  const sessionId = await patient.say('One')
  using lease = await patient.server.services.hub.acquire(sessionId)
  const { live } = lease
  const nodeId = live.session.leafId!
  live.texts.open(nodeId)
  const client = await follow(patient, sessionId)
  const say = (text: string): void => {
    live.texts.add(nodeId, 'text', text)
    live.texts.flush()
  }
  say('Heard. ')
  await client.until('events', ({ events }) => events[0]?.type === 'node.content.updated')
  client.socket.pause()
  const head = await append(patient, sessionId, MANY, LARGE)
  while (live.headSeq < head) await new Promise(setImmediate)
  for (let i = 0; i < 5; i++) say('Missed. ')
  client.socket.resume()
  expect(await client.until('lag')).toEqual({ t: 'lag', sessionId, droppedDeltas: 5 })
  const whole = `Heard. ${'Missed. '.repeat(5)}`
  await client.until(
    'events',
    ({ events: [event] }) => event?.type === 'node.content.snapshot' && event.content === whole,
  )
  say('Heard again.')
  const { events } = await client.until('events', ({ events: [event] }) => {
    return event?.type === 'node.content.updated' && event.patch.offset > 0
  })
  expect(events).toMatchObject([{ patch: { contentChunk: 'Heard again.', offset: whole.length } }])
  expect(client.seqs).toEqual(upTo(3, head))
  expect(client.frames.filter(({ t }) => t === 'lag')).toHaveLength(1)
})

test('W6 whoever never says what came is dropped after a while, whoever does stays', async () => {
  await using strict = await startTestServer({ listening: { stream: { ackWindow: 2, unackedMs: 200 } } })
  const sessionId = await strict.say('One')
  const [silent, acking] = await Promise.all([follow(strict, sessionId), follow(strict, sessionId)])
  acking!.socket.on('message', (data) => {
    const { t, seq } = JSON.parse(String(data)) as { t: string; seq: number }
    if (t === 'events') acking!.say({ t: 'ack', sessionId, seq })
  })
  const head = await append(strict, sessionId, 9, 'Hello')
  await acking!.until('events', ({ seq }) => seq === head)
  expect(await silent!.closed).toBe(CLOSE.slowConsumer)
  acking!.say({ t: 'ping', n: 1 })
  await acking!.until('pong')
})
