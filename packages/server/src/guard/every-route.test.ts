import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { doorRoutes, problemSchema, type Route, routes, SUBPROTOCOL } from '@treeline/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { growSession } from '../handlers/edit/testing/edit-session.ts'
import { askRaw, type RawAnswer } from '../testing/ask-raw.ts'
import { keptBytes } from '../testing/kept-bytes.ts'
import { sampleBody } from '../testing/sample-body.ts'
import { sayRaw } from '../testing/say-raw.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { cookieNameOf } from './cookie.ts'

type Row = Pick<Route, 'method' | 'path' | 'scope'> & { readonly body?: Route['body'] }
type Headers = Readonly<Record<string, string>>

const PAGES: readonly Row[] = ['/', '/s/some-session', '/assets/main-B1x_9-zQ.js', '/no/such', '/api/chat/no/such'].map(
  (path) => ({ method: 'GET', path, scope: 'read' }),
)
/** A new route is among them by being in the table. The upgrade has tests of its own below. */
const { connect, ...doors } = doorRoutes
const TABLE: readonly Row[] = [...Object.values<Route>({ ...routes, ...doors }), ...PAGES]
const CLOSED = TABLE.filter(({ scope }) => scope !== 'none')
const named = (rows: readonly Row[]): [string, Row][] => rows.map((row) => [`${row.method} ${row.path}`, row])

const webRoot = mkdtempSync(join(tmpdir(), 'treeline-web-'))
let server: TestServer
let sessionId: string
let cookie: string
const tokens: Record<string, string> = {}

beforeAll(async () => {
  mkdirSync(join(webRoot, 'assets'))
  writeFileSync(join(webRoot, 'index.html'), '<!doctype html>')
  writeFileSync(join(webRoot, 'assets/main-B1x_9-zQ.js'), 'let a')
  server = await startTestServer({ listening: { webRoot } })
  sessionId = await growSession(server)
  for (const scope of ['read', 'write', 'admin'] as const) {
    tokens[scope] = await server.credentials.createToken({ name: `a-${scope}`, scope })
  }
  const secret = await server.credentials.redeem(server.credentials.newCode())
  cookie = `${cookieNameOf(server.url)}=${secret}`
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(webRoot, { recursive: true })
})

const bearer = (token: string | undefined): Headers => ({ authorization: `Bearer ${token}` })

/** With what would be done if it were let in: a body of the right shape, about nodes that there are. */
function ask({ method, path, body }: Row, headers: Headers, ids: Headers = known()): Promise<RawAnswer> {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'nobody')
  const sent = body && JSON.stringify(sampleBody(body))
  return askRaw(server.url + filled, {
    method,
    headers: { ...headers, ...(sent !== undefined && { 'content-type': 'application/json' }) },
    ...(sent !== undefined && { body: sent }),
  })
}

function known(): Headers {
  return { sessionId, nodeId: 'u1', name: 'a-read', fragmentId: 'u2', sha256: 'a'.repeat(64) }
}

function expectRefusal(answer: RawAnswer, status: 401 | 403): void {
  expect(answer.status).toBe(status)
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
  const problem = problemSchema.parse(JSON.parse(answer.body))
  expect(problem).toMatchObject({ status, code: status === 401 ? 'unauthorized' : 'forbidden' })
  expect(problem.requestId).not.toBe('')
  expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer realm="treeline"' : undefined)
}

describe.each(named(CLOSED))('%s', (_, row) => {
  test('K1 refuses whoever has no credential, or one that does not count', async () => {
    const before = keptBytes(server.home)
    expectRefusal(await ask(row, {}), 401)
    expectRefusal(await ask(row, bearer('A'.repeat(43))), 401)
    expectRefusal(await ask(row, { cookie: `${cookie.slice(0, -1)}!` }), 401)
    expectRefusal(await ask(row, { authorization: 'Bearer', cookie }), 401)
    expect(keptBytes(server.home)).toEqual(before)
  })

  test('K2 refuses a foreign Host and a foreign Origin, whatever the credential', async () => {
    const before = keptBytes(server.home)
    for (const foreign of [
      { host: 'evil.example' },
      { host: `evil.example:${server.server.port}` },
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: server.url.replace('http:', 'https:') },
    ]) {
      expectRefusal(await ask(row, { ...bearer(tokens.admin), ...foreign }), 403)
    }
    if (row.method !== 'GET') expectRefusal(await ask(row, { cookie }), 403)
    expectRefusal(await ask(row, { cookie, 'x-treeline': '1', 'sec-fetch-site': 'cross-site' }), 403)
    expect(keptBytes(server.home)).toEqual(before)
  })

  test('K1 refuses a scope that is too small, and no other', async () => {
    const before = keptBytes(server.home)
    const ranks = ['read', 'write', 'admin']
    const needed = ranks.indexOf(row.scope)
    for (const scope of ranks.slice(0, needed)) expectRefusal(await ask(row, bearer(tokens[scope])), 403)
    expect(keptBytes(server.home)).toEqual(before)
    const letIn = await ask(row, bearer(tokens[ranks[needed]!]), {})
    expect([401, 403]).not.toContain(letIn.status)
    expect(letIn.status).toBeLessThan(500)
    const browser = await ask(row, { cookie, 'x-treeline': '1', origin: server.url }, {})
    expect([401, 403]).not.toContain(browser.status)
  })
})

test('K1 only /login and /healthz answer without a credential', async () => {
  const open: string[] = []
  for (const row of TABLE) if ((await ask(row, {})).status !== 401) open.push(`${row.method} ${row.path}`)
  expect(open).toEqual(['POST /login', 'GET /healthz'])
  for (const row of TABLE.filter(({ scope }) => scope === 'none')) {
    expectRefusal(await ask(row, { host: 'evil.example' }), 403)
    expectRefusal(await ask(row, { origin: 'http://evil.example' }), 403)
  }
})

describe('requests as no library sends them', () => {
  const host = (): string => new URL(server.url).host
  const good = (): string => `Authorization: Bearer ${tokens.admin}\r\n`
  const path = '/api/chat/sessions'

  async function statusOf(text: string): Promise<number | undefined> {
    const reply = await sayRaw(server.url, text)
    if (reply === undefined) return undefined
    if (reply.status >= 400 && !text.startsWith('HEAD')) {
      expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/)
      expect(JSON.parse(reply.body)).toMatchObject({ status: reply.status, requestId: expect.stringMatching(/./) })
    }
    return reply.status
  }

  test('K2 a second Host, none, or an empty one', async () => {
    const own = `Host: ${host()}\r\n`
    expect(await statusOf(`GET ${path} HTTP/1.1\r\n${own}${good()}\r\n`)).toBe(200)
    expect(await statusOf(`GET ${path} HTTP/1.1\r\n${own}Host: evil.example\r\n${good()}\r\n`)).toBe(403)
    expect(await statusOf(`GET ${path} HTTP/1.1\r\nHost: evil.example\r\n${own}${good()}\r\n`)).toBe(403)
    expect(await statusOf(`GET ${path} HTTP/1.1\r\n${own}${own}${good()}\r\n`)).toBe(403)
    expect(await statusOf(`GET ${path} HTTP/1.1\r\n${good()}\r\n`)).toBe(403)
    expect(await statusOf(`GET ${path} HTTP/1.1\r\nHost:\r\n${good()}\r\n`)).toBe(403)
    expect(await statusOf(`GET ${path} HTTP/1.0\r\n${good()}\r\n`)).toBe(403)
  })

  test('K1, K2 a whole URL instead of a path', async () => {
    for (const url of [server.url + path, `http://evil.example${path}`]) {
      expect(await statusOf(`GET ${url} HTTP/1.1\r\nHost: ${host()}\r\n\r\n`)).toBe(401)
      expect(await statusOf(`GET ${url} HTTP/1.1\r\nHost: evil.example\r\n${good()}\r\n`)).toBe(403)
      expect([200, 404]).toContain(await statusOf(`GET ${url} HTTP/1.1\r\nHost: ${host()}\r\n${good()}\r\n`))
    }
  })

  test.each(['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'])('K1 %s is no way around', async (method) => {
    for (const target of [path, '/healthz', '/metrics', '/', '*']) {
      expect(await statusOf(`${method} ${target} HTTP/1.1\r\nHost: ${host()}\r\n\r\n`), target).toBe(401)
      expect(await statusOf(`${method} ${target} HTTP/1.1\r\nHost: evil.example\r\n${good()}\r\n`)).toBe(403)
    }
    expect([400, 404]).toContain(await statusOf(`${method} ${path} HTTP/1.1\r\nHost: ${host()}\r\n${good()}\r\n`))
  })

  test('K2 nothing is said about other origins, also when a browser asks beforehand', async () => {
    const asks = 'Origin: http://evil.example\r\nAccess-Control-Request-Method: PUT\r\n'
    const reply = await sayRaw(server.url, `OPTIONS ${path} HTTP/1.1\r\nHost: ${host()}\r\n${asks}\r\n`)
    expect(reply?.status).toBe(403)
    expect([...reply!.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test('K1 a path or a body that cannot be read is refused like any other', async () => {
    const long = `/api/chat/${'a'.repeat(300)}/tree`
    for (const target of ['/%', '/api/chat/%zz/tree', '/api/chat/%c0%ae/tree', long, '/healthz%', '/../login%']) {
      expect(await statusOf(`GET ${target} HTTP/1.1\r\nHost: ${host()}\r\n\r\n`), target).toBe(401)
      expect(await statusOf(`GET ${target} HTTP/1.1\r\nHost: evil.example\r\n${good()}\r\n`), target).toBe(403)
      expect([400, 404]).toContain(await statusOf(`GET ${target} HTTP/1.1\r\nHost: ${host()}\r\n${good()}\r\n`))
    }
    const odd = 'Content-Type: ;;;\r\nContent-Length: 2\r\n'
    expect(await statusOf(`POST ${path} HTTP/1.1\r\nHost: ${host()}\r\n${odd}\r\n{}`)).toBe(401)
    expect(await statusOf(`POST ${path} HTTP/1.1\r\nHost: ${host()}\r\n${good()}${odd}\r\n{}`)).toBe(400)
  })

  test('K1 what is no HTTP, too large or a tunnel is answered with nothing of ours', async () => {
    expect(await statusOf('\x16\x03\x01\x02\x00\x01\r\n\r\n')).toBe(400)
    expect(await statusOf(`GET ${path} HTTP/1.1\r\nHost: ${host()}\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`)).toBe(431)
    expect(await statusOf(`CONNECT evil.example:80 HTTP/1.1\r\nHost: ${host()}\r\n${good()}\r\n`)).toBeUndefined()
    const expects = `POST ${path} HTTP/1.1\r\nHost: ${host()}\r\nExpect: miracles\r\nContent-Length: 0\r\n\r\n`
    expect(await statusOf(expects)).toBe(401)
  })

  test('K1, K2 the upgrade, as the table has it', async () => {
    const upgrade = (headers: string): string =>
      `${connect.method} ${connect.path} HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n` +
      `Sec-WebSocket-Protocol: ${SUBPROTOCOL}\r\n${headers}\r\n`
    const own = `Host: ${host()}\r\n`
    expect(await statusOf(upgrade(own))).toBe(401)
    expect(await statusOf(upgrade(`${own}Authorization: Bearer ${'A'.repeat(43)}\r\n`))).toBe(401)
    expect(await statusOf(upgrade(`${own}Host: evil.example\r\n${good()}`))).toBe(403)
    expect(await statusOf(upgrade(good()))).toBe(403)
    expect(await statusOf(upgrade(`${own}${good()}Origin: http://evil.example\r\n`))).toBe(403)
    expect(await statusOf(upgrade(`${own}Cookie: ${cookie}\r\n`))).toBe(403)
    expect(await statusOf(upgrade(`${own}Cookie: ${cookie}\r\nOrigin: ${server.url}\r\n`))).toBe(101)
    expect(await statusOf(upgrade(`${own}Authorization: Bearer ${tokens.read}\r\n`))).toBe(101)
    expect(await statusOf(upgrade(`${own}${good()}`).replace('/api/chat/ws', '/api/chat/sessions'))).toBe(404)
  })
})
