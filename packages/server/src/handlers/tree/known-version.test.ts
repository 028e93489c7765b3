import { routes } from '@treeline/protocol'
import { applyScrub, planScrub } from '@treeline/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../../testing/ask.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { talk } from './testing/read.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const READS = [
  [routes.getTree, {}],
  [routes.getNode, {}],
  [routes.getNodes, { ids: 'a,b' }],
  [routes.getChildren, {}],
  [routes.getBranches, {}],
  [routes.getTreeText, {}],
  [routes.compare, { left: 'a', right: 'b' }],
  [routes.getStash, {}],
  [routes.getSession, {}],
] as const

test.each(READS)('who knows the version is not sent it again: $path', async (route, query) => {
  await using session = await talk(server, 'a', 'b')
  const params = { sessionId: session.id, nodeId: 'a' }
  const given = await ask(server, route, { params, query })
  expect([given.status, given.headers.get('etag')]).toEqual([200, '"v3"'])
  const headers = { 'if-none-match': '"v2", W/"v3"' }
  const known = await ask(server, route, { params, query, headers })
  expect([known.status, known.headers.get('etag')]).toEqual([304, '"v3"'])
  await session.setLabel('b', 'new')
  await server.server.services.hub.use(session.id, ({ session: open }) => open.refresh())
  expect((await ask(server, route, { params, query, headers })).status).toBe(200)
})

test('what a scrub took out of a log is sent anew, though the version is the same', async () => {
  const sessionId = await server.say('the word is swordfish')
  const params = { sessionId }
  const headers = { 'if-none-match': '"v2"' }
  expect((await ask(server, routes.getTree, { params })).headers.get('etag')).toBe('"v2"')
  expect((await ask(server, routes.getTree, { params, headers })).status).toBe(304)
  const plan = await planScrub(server.home, 'swordfish')
  await applyScrub(server.home, plan, { confirm: true })
  await server.server.services.hub.use(sessionId, ({ session }) => session.refresh())
  const { status, headers: told, body } = await ask(server, routes.getTree, { params, headers })
  expect([status, told.get('etag')]).toEqual([200, '"v2"'])
  expect(JSON.stringify(body)).not.toContain('swordfish')
})
