import { routes } from '@treeline/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { growSession, readStored, refused, sendEdit } from './testing/edit-session.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

test('T27 a node is muted, once, and says so afterwards', async () => {
  const sessionId = await growSession(server)
  const path = `/api/chat/${sessionId}/node/a2/state`
  const muted = await server.fetch(path, { method: 'PUT', body: JSON.stringify({ isEnabled: false }) })
  expect(muted.status).toBe(200)
  const { version } = (await muted.json()) as { version: number }
  expect(muted.headers.get('etag')).toMatch(new RegExp(`^"v${version}\\.`))
  const again = await server.fetch(path, { method: 'PUT', body: JSON.stringify({ isEnabled: false }) })
  expect(await again.json()).toEqual({ id: 'a2', isEnabled: false, version })
  expect((await readStored(server, sessionId)).nodes.a2).toMatchObject({ isEnabled: false, version })
})

test('C2 a precondition that does not hold, or a node that is not there, changes nothing', async () => {
  const sessionId = await growSession(server)
  const set = (nodeId: string, baseVersion?: number) => {
    const body = { isEnabled: false, ...(baseVersion !== undefined && { baseVersion }) }
    return server.call(routes.putNodeState, { params: { sessionId, nodeId }, body })
  }
  await sendEdit(server, sessionId, [{ op: 'setMetadata', nodeId: 'u1', patch: { rating: 2 } }])
  const problem = await refused(set('u1', 7))
  expect(problem).toMatchObject({ status: 409, code: 'stale_node', currentVersion: 8, conflicts: [{ nodeId: 'u1' }] })
  expect(problem).not.toHaveProperty('opIndex')
  expect(await refused(set('nope'))).toMatchObject({ status: 404, code: 'node_not_found' })
  expect((await set('a1', 7)).version).toBe(9)
  expect((await readStored(server, sessionId)).nodes.u1).toMatchObject({ isEnabled: true })
})
