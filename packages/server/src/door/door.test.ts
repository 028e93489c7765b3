import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askRaw, BY_HAND } from '../testing/ask-raw.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

const folder = mkdtempSync(join(tmpdir(), 'treeline-web-'))
const root = join(folder, 'root')
let plain: TestServer
let app: TestServer
beforeAll(async () => {
  mkdirSync(join(root, 'assets'), { recursive: true })
  writeFileSync(join(root, 'index.html'), '<!doctype html><title>App</title>')
  writeFileSync(join(root, 'assets/main-B1x_9-zQ.js'), 'let a')
  writeFileSync(join(root, 'icon.svg'), '<svg/>')
  writeFileSync(join(folder, 'secret'), 'secret')
  symlinkSync(join(folder, 'secret'), join(root, 'link.txt'))
  plain = await startTestServer()
  app = await startTestServer({ listening: { webRoot: root } })
  writeFileSync(join(root, 'late.txt'), 'late')
})
afterAll(async () => {
  await plain[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const DOORS = [
  '/login',
  '/healthz',
  '/metrics',
  '/',
  '/s/some-session',
  '/assets/main-B1x_9-zQ.js',
  '/no/such',
  '/api/x',
]

test('K1 of the door only /login and /healthz answer without a credential', async () => {
  const open: string[] = []
  for (const path of DOORS) {
    const { status } = await askRaw(app.url + path)
    if (status !== 401) open.push(`${path} ${status}`)
  }
  // A login without a code is refused, too, but as a page.
  expect(open).toEqual(['/healthz 200'])
  expect((await askRaw(`${app.url}/login`)).body).toContain('This link does not count')
})

test.each(DOORS)(
  'K2 %s refuses a foreign Host and a foreign Origin, and every answer has the headers',
  async (path) => {
    for (const headers of [{ host: 'evil.example' }, { origin: 'http://evil.example' }]) {
      const answer = await askRaw(app.url + path, { headers: { authorization: `Bearer ${app.token}`, ...headers } })
      expect(answer.status).toBe(403)
      for (const [name, value] of SECURITY_HEADERS) expect(answer.headers[name]).toBe(value)
    }
    const letIn = await askRaw(app.url + path, { headers: { authorization: `Bearer ${app.token}` } })
    for (const [name] of SECURITY_HEADERS) expect(letIn.headers[name], name).toBeDefined()
    expect(letIn.headers['x-content-type-options']).toBe('nosniff')
  },
)

test('/healthz says that it runs', async () => {
  expect(await askRaw(`${plain.url}/healthz`)).toMatchObject({ status: 200, body: '{"status":"ok"}' })
})

test('/metrics gives Prometheus what it reads, with nothing of what was said', async () => {
  const id = await plain.say('an-unusual-word')
  await plain.fetch(`/api/chat/sessions/${id}`)
  const answer = await plain.fetch('/metrics')
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const body = await answer.text()
  expect(body).toMatch(/^# TYPE treeline_open_sessions gauge$/m)
  expect(body).toMatch(/^treeline_http_requests_total\{.*\} \d+$/m)
  for (const line of body.trim().split('\n')) expect(line).toMatch(/^(# TYPE \w+ \w+|\w+(\{[^}]*\})? -?[\d.e+-]+)$/)
  expect(body).not.toMatch(/unusual|browser/)
})

test('without a web app / says where things are; who is not logged in is told how to', async () => {
  const known = await plain.fetch('/')
  expect(known.status).toBe(200)
  expect(await known.text()).toContain('href="/api/chat/sessions"')
  const unknown = await askRaw(`${plain.url}/`, { headers: BY_HAND })
  expect(unknown.status).toBe(401)
  expect(unknown.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(unknown.body).toContain('Not logged in')
  expect(unknown.headers['content-security-policy']).not.toMatch(/unsafe/)
  const program = await askRaw(`${plain.url}/`)
  expect(program.headers['content-type']).toContain('application/problem+json')
  expect((await plain.fetch('/no/such')).status).toBe(404)
})

test('the web app is served from its folder, its pages too, and never a script written into a page', async () => {
  const index = await app.fetch('/')
  expect(await index.text()).toContain('<title>App')
  expect(index.headers.get('content-security-policy')).toMatch(/script-src 'self';/)
  expect(index.headers.get('content-security-policy')).not.toMatch(/unsafe|\*|http/)
  expect(index.headers.get('cache-control')).toBe('private, no-cache')
  expect(await (await app.fetch('/s/019c65aa/n/1')).text()).toContain('<title>App')
  const known = await app.fetch('/', { headers: { 'if-none-match': index.headers.get('etag')! } })
  expect(known.status).toBe(304)
})

test('what has a hash in its name is kept for good, other files are asked about', async () => {
  const script = await app.fetch('/assets/main-B1x_9-zQ.js')
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(script.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
  expect(await script.text()).toBe('let a')
  expect((await app.fetch('/icon.svg')).headers.get('cache-control')).toBe('private, no-cache')
})

test.each([
  '/../secret',
  '/assets/../../secret',
  '/%2e%2e/secret',
  '/..%2fsecret',
  '/..%5csecret',
  '/assets/%2e%2e/%2e%2e/secret',
  '//etc/passwd',
  '/link.txt',
  '/late.txt',
  '/assets/no-such.js',
  '/assets/',
  '/index.html%00.js',
])('K3 nothing but the files that were listed at the start is served: %s', async (path) => {
  // As it stands: `URL` would tidy the path.
  const { hostname, port } = new URL(app.url)
  const { request } = await import('node:http')
  const { text } = await import('node:stream/consumers')
  const headers = { authorization: `Bearer ${app.token}` }
  const body = await new Promise<string>((resolve, reject) => {
    request({ hostname, port, path, headers }, async (response) => {
      const said = await text(response)
      resolve(response.statusCode === 200 ? said : '')
    })
      .on('error', reject)
      .end()
  })
  // A path without an ending may be a page of the app's own; it is never a file from elsewhere.
  expect(['', '<!doctype html><title>App</title>']).toContain(body)
  if (/\.\w+$/.test(path)) expect(body).toBe('')
})
