import { once } from 'node:events'
import { request } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { text } from 'node:stream/consumers'
import { CLOSE, SUBPROTOCOL } from '@treeline/protocol'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { getEvents } from './get-events.ts'
import { connectRaw, socketUrl } from './testing/raw-client.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ listening: { stream: { sockets: 8, closeBytes: 1024 * 1024 } } })
})
afterAll(() => server[Symbol.asyncDispose]())

const socketCount = () => Number(/^treeline_sockets (\d+)$/m.exec(server.server.services.metrics.render())?.[1])

/** Leases that somebody holds, of all sessions. */
function leaseCount(): number {
  const { held } = server.server.services.hub as unknown as { held: ReadonlyMap<string, { count: number }> }
  return [...held.values()].reduce((sum, { count }) => sum + count, 0)
}

async function append(sessionId: string, count: number, content: string): Promise<void> {
  await using session = await server.store.open(sessionId)
  for (let i = 0; i < count; i++) {
    await session.append({ type: 'message', message: { role: 'user', content, timestamp: Date.now() } })
  }
}

test('W6 whoever pings and never reads is dropped before the answers pile up', async () => {
  const client = await connectRaw(server)
  onTestFinished(() => client.socket.terminate())
  client.socket.pause()
  const data = Buffer.alloc(125)
  for (let i = 0; i < 4_000; i++) client.socket.ping(data)
  client.say({ t: 'ping', n: 1 })
  client.socket.resume()
  expect(await Promise.race([client.closed, client.until('pong')])).toBe(CLOSE.protocolError)
})

test('W6 many who wait for room at once do not make a client that reads a slow one', async () => {
  const large = 'x'.repeat(200_000)
  const [long, ...others] = await Promise.all(Array.from({ length: 20 }, () => server.say('One')))
  // More than the system keeps for a socket that nobody reads.
  await append(long!, 60, large)
  await Promise.all(others.map((id) => append(id, 1, large)))
  const client = await connectRaw(server)
  onTestFinished(() => client.socket.terminate())
  client.socket.pause()
  for (const [id, sessionId] of [long!, ...others].entries()) client.say({ t: 'subscribe', id, sessionId, afterSeq: 1 })
  await expect.poll(leaseCount, { timeout: 10_000 }).toBe(20)
  client.socket.resume()
  for (const sessionId of others) await client.until('replay_done', (done) => done.sessionId === sessionId)
})

test('there are not more connections than the server keeps up with', async () => {
  await expect.poll(socketCount).toBe(0)
  const clients = await Promise.all(Array.from({ length: 8 }, () => connectRaw(server)))
  const headers = { authorization: `Bearer ${server.token}` }
  const tooMany = new WebSocket(socketUrl(server.url), SUBPROTOCOL, { headers })
  tooMany.on('error', () => {})
  const [, response] = await once(tooMany, 'unexpected-response')
  expect(response.statusCode).toBe(503)
  expect(response.headers).toMatchObject({ 'content-type': 'application/problem+json', 'retry-after': '1' })
  expect(JSON.parse(await text(response))).toMatchObject({ status: 503, code: 'rate_limited' })
  for (const { socket } of clients) socket.terminate()
  await expect.poll(socketCount).toBe(0)
  const again = await connectRaw(server)
  again.socket.terminate()
})

test('however clients leave, nothing of theirs is held', async () => {
  const sessionId = await server.say('One')
  const other = await server.say('Two')
  await append(sessionId, 20, 'x'.repeat(200_000))
  const subscribe = (id: number, to = sessionId) => ({ t: 'subscribe', id, sessionId: to, afterSeq: 1 }) as const
  const leavings: ((client: Awaited<ReturnType<typeof connectRaw>>) => unknown)[] = [
    // In the middle of a replay, of an opening, of a second try, of nothing.
    ({ socket }) => socket.terminate(),
    (client) => [client.say(subscribe(2, other)), client.socket.terminate()],
    (client) => [client.say(subscribe(2)), client.say(subscribe(3)), client.socket.close()],
    (client) => [client.say({ t: 'unsubscribe', id: 4, sessionId }), client.socket.close()],
    (client) => [client.socket.pause(), client.socket.terminate()],
    (client) => client.until('replay_done').then(() => client.socket.close()),
  ]
  for (const leave of leavings) {
    const client = await connectRaw(server)
    client.say(subscribe(1))
    await leave(client)
  }
  const path = `/api/chat/${sessionId}/events?afterSeq=`
  const ask = { host: 'localhost', headers: { authorization: `Bearer ${server.token}` } }
  for (const accept of ['text/event-stream', 'application/json']) {
    for (const afterSeq of [1, 22]) {
      // Gone at once, and gone after a first byte.
      const url = new URL(`${path}${afterSeq}&waitMs=60000`, server.url)
      const socket = connectSocket(Number(url.port), url.hostname)
      socket.on('error', () => {})
      const head = [`GET ${url.pathname}${url.search} HTTP/1.1`, `Host: ${url.host}`, `Accept: ${accept}`]
      socket.write([...head, `Authorization: ${ask.headers.authorization}`, '', ''].join('\r\n'), () =>
        socket.destroy(),
      )
      const asked = request(url, { headers: { ...ask.headers, accept } })
      asked.on('error', () => {})
      asked.end()
      if (accept === 'text/event-stream' || afterSeq === 1) await once(asked, 'response')
      asked.destroy()
    }
  }
  await expect.poll(() => [socketCount(), leaseCount()], { timeout: 10_000 }).toEqual([0, 0])
})

test('who is gone before the first word of a stream of events leaves nothing behind', async () => {
  const sessionId = await server.say('One')
  const raw = { headers: { accept: 'text/event-stream' }, socket: { setTimeout: () => {} } }
  const query = { afterSeq: 1, waitMs: 0 }
  const asking = { params: { sessionId }, query, raw, actor: { credentialId: 'x' }, signal: AbortSignal.abort() }
  await getEvents(server.server.services, asking as never)
  expect(leaseCount()).toBe(0)
})
