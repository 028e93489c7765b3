import { type BatchStateRequest, batchStateSchema, routes } from '@treeline/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { watchSession } from '../../testing/watch-session.ts'
import { growSession, readStored, refused, sendEdit } from './testing/edit-session.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const off = (...ids: string[]) => ids.map((id) => ({ id, isEnabled: false }))

function setStates(sessionId: string, body: BatchStateRequest) {
  return server.call(routes.putNodesState, { params: { sessionId }, body })
}

async function disabledIn(sessionId: string): Promise<string[]> {
  const { nodes } = await readStored(server, sessionId)
  return Object.values(nodes).flatMap(({ id, isEnabled }) => (isEnabled ? [] : [id]))
}

test('T29 many nodes are set in one commit that is told in one event', async () => {
  const sessionId = await growSession(server)
  using watched = await watchSession(server.server, sessionId)
  await setStates(sessionId, { nodes: off('a2') })
  const { version, ...rest } = await setStates(sessionId, {
    nodes: [...off('u2', 'a2', 'u3'), { id: 'u1', isEnabled: true }],
  })
  expect(batchStateSchema.parse({ version, ...rest })).toEqual({
    version: 9,
    updated: off('u2', 'u3').map((state) => ({ ...state, version: 9 })),
    unchanged: ['a2', 'u1'],
    failed: [],
  })
  expect(await disabledIn(sessionId)).toEqual(['u2', 'a2', 'u3'])
  await watched.until('nodes.state.updated', ({ seq }) => seq === version)
  expect(watched.events.map(({ type, seq }) => [type, seq])).toEqual([
    ['nodes.state.updated', 8],
    ['nodes.state.updated', 9],
  ])
})

test('all or none: one that is not there, or newer than was looked at, and nothing is changed', async () => {
  const sessionId = await growSession(server)
  expect(await refused(setStates(sessionId, { nodes: off('u1', 'nope') }))).toMatchObject({
    status: 404,
    code: 'node_not_found',
  })
  await sendEdit(server, sessionId, [{ op: 'delete', nodeIds: ['u2'] }])
  expect(await refused(setStates(sessionId, { nodes: off('u1', 'a2') }))).toMatchObject({ code: 'node_not_found' })
  expect(await refused(setStates(sessionId, { nodes: off('u1', 'a1'), baseVersion: 7 }))).toMatchObject({
    code: 'stale_node',
    conflicts: [{ nodeId: 'a1', version: 8 }],
    currentVersion: 8,
  })
  const both = [...off('u1'), { id: 'u1', isEnabled: true }]
  expect(await refused(setStates(sessionId, { nodes: both }))).toMatchObject({ status: 422, code: 'validation_failed' })
  expect(await disabledIn(sessionId)).toEqual([])
})

test('with atomic false what can be set is, and the others are named with the reason', async () => {
  const sessionId = await growSession(server)
  await sendEdit(server, sessionId, [{ op: 'delete', nodeIds: ['u2'] }])
  const nodes = off('u1', 'a1', 'a2', 'nope', 'a3')
  const { updated, unchanged, failed, version } = await setStates(sessionId, { atomic: false, nodes, baseVersion: 7 })
  expect(updated.map(({ id }) => id)).toEqual(['u1', 'a3'])
  expect([unchanged, version]).toEqual([[], 9])
  expect(failed).toEqual([
    { id: 'a1', code: 'stale_node' },
    { id: 'a2', code: 'node_not_found' },
    { id: 'nope', code: 'node_not_found' },
  ])
  expect(await disabledIn(sessionId)).toEqual(['u1', 'a3'])
  expect(await setStates(sessionId, { atomic: false, nodes: off('nope') })).toEqual({
    version: 9,
    updated: [],
    unchanged: [],
    failed: [{ id: 'nope', code: 'node_not_found' }],
  })
})
