import { afterAll, beforeAll, expect, test } from 'vitest'
import { keptBytes } from '../testing/kept-bytes.ts'
import { sayRaw } from '../testing/say-raw.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

let server: TestServer
let sessionId: string
beforeAll(async () => {
  server = await startTestServer()
  sessionId = await server.say('Hello')
})
afterAll(() => server[Symbol.asyncDispose]())

function head(first: string, ...more: readonly string[]): string {
  const { host } = new URL(server.url)
  return [`${first} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${server.token}`, ...more, '', ''].join('\r\n')
}

test('a body that says null is not one that was left out', async () => {
  const path = `/api/chat/${sessionId}/config`
  expect((await server.fetch(path, { method: 'PUT', body: 'null' })).status).toBe(400)
  expect((await server.fetch(path, { method: 'PUT', body: '{}' })).status).toBe(200)
})

test('what cannot be read behind a request does not take the place of its answer', async () => {
  const body = '{"title":"First"}'
  const request = head('POST /api/chat/sessions', 'Content-Type: application/json', `Content-Length: ${body.length}`)
  const reply = await sayRaw(server.url, `${request}${body}\x00\x01 garbage\r\n\r\n`)
  expect(reply?.status).toBe(201)
  expect(reply?.headers.get('connection')).toBe('close')
  expect(JSON.parse(reply!.body)).toMatchObject({ title: 'First' })
})

test('nothing is removed for a request whose end cannot be read', async () => {
  const before = keptBytes(server.home)
  const request = head(`DELETE /api/chat/sessions/${sessionId}`, 'Transfer-Encoding: chunked')
  const reply = await sayRaw(server.url, `${request}no chunk\r\n`)
  expect(reply?.status).toBe(400)
  expect(reply?.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  expect(keptBytes(server.home)).toEqual(before)
})

test('a client that leaves in the middle is no failure of ours', async () => {
  const request = head('POST /api/chat/sessions', 'Content-Type: application/json', 'Content-Length: 100')
  expect((await sayRaw(server.url, `${request}{"title":`, { end: true }))?.status ?? 400).toBe(400)
  expect(server.logged.filter(({ level }) => level === 'error')).toEqual([])
})
