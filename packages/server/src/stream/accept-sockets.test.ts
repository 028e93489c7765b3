import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { CLOSE, SUBPROTOCOL } from '@treeline/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { makeSelfSigned } from '../testing/self-signed.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { connectRaw, RawClient, socketUrl } from './testing/raw-client.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** What is answered instead of a connection. */
async function refusalOf(
  headers: Readonly<Record<string, string>>,
  { path = '/api/chat/ws', protocol = SUBPROTOCOL }: { path?: string; protocol?: string } = {},
) {
  const url = socketUrl(server.url).replace('/api/chat/ws', path)
  const socket = new WebSocket(url, protocol === '' ? [] : protocol, { headers })
  socket.on('error', () => {})
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  expect(response.headers['content-type']).toBe('application/problem+json')
  const problem = JSON.parse(await text(response)) as { code: string; status: number; requestId: string }
  expect(problem.status).toBe(response.statusCode)
  expect(problem.requestId).not.toBe('')
  return [problem.status, problem.code]
}

describe('who is let in', () => {
  const good = () => ({ authorization: `Bearer ${server.token}` })

  test('K1 nobody without a credential, or with one that does not count', async () => {
    expect(await refusalOf({})).toEqual([401, 'unauthorized'])
    expect(await refusalOf({ authorization: `Bearer ${'A'.repeat(43)}` })).toEqual([401, 'unauthorized'])
    expect(await refusalOf({ cookie: 'treeline=x' })).toEqual([401, 'unauthorized'])
  })

  test('K2 no other page, by its Host or its Origin', async () => {
    expect(await refusalOf({ ...good(), host: 'evil.example' })).toEqual([403, 'forbidden'])
    expect(await refusalOf({ ...good(), origin: 'http://evil.example' })).toEqual([403, 'forbidden'])
    expect(await refusalOf({ ...good(), origin: 'null' })).toEqual([403, 'forbidden'])
  })

  test('only at the path, only with the subprotocol', async () => {
    expect(await refusalOf(good(), { path: '/api/chat/elsewhere' })).toEqual([404, 'bad_request'])
    expect(await refusalOf({}, { path: '/api/chat/elsewhere' })).toEqual([401, 'unauthorized'])
    expect(await refusalOf(good(), { protocol: '' })).toEqual([400, 'bad_request'])
    expect(await refusalOf(good(), { protocol: 'chat.v2' })).toEqual([400, 'bad_request'])
  })

  test('what is no handshake is refused as any bad request', async () => {
    const headers = { ...good(), connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-protocol': SUBPROTOCOL }
    const asked = request(new URL('/api/chat/ws', server.url), {
      headers: { ...headers, 'sec-websocket-version': '7' },
    })
    asked.end()
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(400)
    expect(JSON.parse(await text(response))).toMatchObject({ code: 'bad_request' })
  })
})

test('who would like another protocol, but no WebSocket, is answered in this one', async () => {
  // As Java's client asks for everything.
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAEAAEAA' }
  const asked = request(new URL('/healthz', server.url), { headers })
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  response.resume()
  expect(response.statusCode).toBe(200)
})

test('over TLS, and with pings between them, every frame comes whole', async () => {
  const tls = makeSelfSigned(['127.0.0.1', 'localhost'])
  await using secure = await startTestServer({ listening: { tls, stream: { heartbeatMs: 10 } } })
  const sessionId = await secure.say('One')
  await using session = await secure.store.open(sessionId)
  const headers = { authorization: `Bearer ${secure.token}` }
  const client = new RawClient(
    new WebSocket(socketUrl(secure.url), SUBPROTOCOL, { headers, rejectUnauthorized: false }),
  )
  let pings = 0
  client.socket.on('ping', () => pings++)
  await once(client.socket, 'open')
  client.say({ t: 'hello', protocol: 1 })
  client.say({ t: 'subscribe', id: 1, sessionId })
  await client.until('replay_done')
  for (let i = 0; i < 30; i++) {
    client.socket.ping()
    // Of every length that has a head of its own.
    const content = 'é'.repeat([1, 1_000, 40_000][i % 3]!)
    await session.append({ type: 'message', message: { role: 'user', content, timestamp: Date.now() } })
  }
  await client.until('events', ({ seq }) => seq === 32)
  expect(client.seqs).toEqual(Array.from({ length: 30 }, (_, i) => i + 3))
  await expect.poll(() => pings).toBeGreaterThan(2)
  client.socket.close()
  expect(await client.closed).toBe(1005)
})

test('a revoked token closes its connections within a second, and no others', async () => {
  const token = await server.credentials.createToken({ name: 'short-lived', scope: 'read' })
  const [revoked, silent, other] = await Promise.all([
    connectRaw({ url: server.url, token }),
    connectRaw({ url: server.url, token }),
    connectRaw(server),
  ])
  // One that reads nothing cannot agree to be closed.
  silent!.socket.pause()
  const startedAt = performance.now()
  await server.credentials.revoke('short-lived')
  expect(await revoked!.closed).toBe(CLOSE.unauthorized)
  const { metrics } = server.server.services
  await expect.poll(() => metrics.render(), { interval: 20 }).toMatch(/^treeline_sockets 1$/m)
  expect(performance.now() - startedAt).toBeLessThan(1_000)
  other!.say({ t: 'ping', n: 7 })
  expect(await other!.until('pong')).toEqual({ t: 'pong', n: 7 })
  expect(await refusalOf({ authorization: `Bearer ${token}` })).toEqual([401, 'unauthorized'])
  other!.socket.close()
  silent!.socket.terminate()
})

test('metrics say how many there are and how they ended', async () => {
  const client = await connectRaw(server)
  const { metrics } = server.server.services
  expect(metrics.render()).toMatch(/^treeline_sockets 1$/m)
  client.socket.close(1000)
  await client.closed
  await expect.poll(() => metrics.render()).toMatch(/^treeline_sockets 0$/m)
  expect(metrics.render()).toMatch(/^treeline_sockets_closed_total\{code="4001"\} /m)
})
