import { routes } from '@treeline/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../testing/ask.ts'
import { askRaw } from '../testing/ask-raw.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ limits: { bodyBytes: 1024 * 1024 } })
})
afterAll(() => server[Symbol.asyncDispose]())

test('what nobody has a route for is told in the log and counted, without its path', async () => {
  const before = server.logged.length
  await server.fetch('/api/chat/secret-word/none', { method: 'POST' })
  await askRaw(`${server.url}/api/chat/secret-word/none`, { method: 'PUT' })
  const told = server.logged.slice(before).map(({ method, route, status }) => [method, route, status])
  expect(told).toEqual([
    ['POST', 'none', 404],
    ['PUT', 'none', 401],
  ])
  expect(JSON.stringify(server.logged)).not.toContain('secret-word')
})

test('a file may be longer than other bodies, also as JSON', async () => {
  const data = 'no session '.repeat(100_000)
  expect((await ask(server, routes.importSession, { body: { data } })).problem?.status).toBe(422)
  const title = 'x'.repeat(1_100_000)
  expect((await ask(server, routes.createSession, { body: { title } })).problem?.status).toBe(413)
})

test('more than one request may hold cannot be done (422), and is not of a wrong shape (400)', async () => {
  const params = { sessionId: await server.say('One') }
  const nodes = Array.from({ length: 10_001 }, () => ({ id: 'a', isEnabled: true }))
  const operations = Array.from({ length: 1_001 }, () => ({ op: 'prune', nodeId: 'a' }))
  expect((await ask(server, routes.putEdit, { params, body: { operations } })).problem).toMatchObject({
    status: 422,
    code: 'validation_failed',
  })
  expect((await ask(server, routes.putNodesState, { params, body: { nodes } })).problem?.status).toBe(422)
  expect((await ask(server, routes.putNodesState, { params, body: { nodes, more: 1 } })).problem?.status).toBe(400)
})

test('R2 who leaves out what may have several forms is told which', async () => {
  const params = { sessionId: await server.say('One') }
  const { problem } = await ask(server, routes.postMessage, { params, body: { parentId: null } })
  expect(problem).toMatchObject({ status: 400, code: 'validation_failed' })
  expect(problem?.detail).toMatch(/^body\.content: .*expected string, received undefined, or: .*expected array/)
})
