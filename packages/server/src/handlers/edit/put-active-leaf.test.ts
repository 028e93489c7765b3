import { type ActiveLeafRequest, routes } from '@treeline/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { growSession, readStored, refused, sendEdit } from './testing/edit-session.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

function setLeaf(sessionId: string, body: ActiveLeafRequest) {
  return server.call(routes.putActiveLeaf, { params: { sessionId }, body })
}

test('T28 the leaf goes to any node, down from it to where something was said last, or nowhere; each time durably', async () => {
  const sessionId = await growSession(server)
  expect(await setLeaf(sessionId, { leafId: 'u2' })).toEqual({ activeLeafId: 'u2', previous: 'a3', version: 8 })
  expect((await readStored(server, sessionId)).activeLeafId).toBe('u2')
  expect(await setLeaf(sessionId, { leafId: 'u1', resolve: 'descend' })).toMatchObject({ activeLeafId: 'a3' })
  expect(await setLeaf(sessionId, { leafId: null })).toMatchObject({ activeLeafId: null, previous: 'a3', version: 10 })
  expect((await readStored(server, sessionId)).activeLeafId).toBeNull()
  expect(await setLeaf(sessionId, { leafId: null, baseVersion: 7 })).toMatchObject({ previous: null, version: 10 })
})

test('into the stash, to what is deleted or not there, it does not go', async () => {
  const sessionId = await growSession(server)
  await sendEdit(server, sessionId, [
    { op: 'prune', nodeId: 'u2', include: 'self' },
    { op: 'delete', nodeIds: ['a3'] },
  ])
  for (const resolve of ['exact', 'descend'] as const) {
    expect(await refused(setLeaf(sessionId, { leafId: 'u2', resolve }))).toMatchObject({
      status: 409,
      code: 'node_detached',
      currentVersion: 8,
    })
    expect(await refused(setLeaf(sessionId, { leafId: 'a3', resolve }))).toMatchObject({ code: 'node_not_found' })
    expect(await refused(setLeaf(sessionId, { leafId: 'nope', resolve }))).toMatchObject({ code: 'node_not_found' })
  }
  expect((await readStored(server, sessionId)).activeLeafId).toBe('u3')
})

test('where a change of the model stands below the leaf it stays, because to a client it is there already', async () => {
  const sessionId = await growSession(server)
  await server.server.services.hub.use(sessionId, async ({ session }) => {
    await session.append({ type: 'model_change', id: 'm1', model: 'p/big' })
  })
  expect(await setLeaf(sessionId, { leafId: 'a3' })).toEqual({ activeLeafId: 'a3', previous: 'a3', version: 8 })
})

test('M15 with summarize, notes on the branch that is left are the node one goes on from, and undo takes them away', async () => {
  const sessionId = await growSession(server)
  const { activeLeafId } = await setLeaf(sessionId, { leafId: 'a2', summarize: { instructions: 'the facts' } })
  const { nodes } = await readStored(server, sessionId)
  expect(nodes[activeLeafId!]).toMatchObject({
    parentId: 'a2',
    role: 'system',
    metadata: { kind: 'branch_summary', summarizedFrom: ['u3', 'a3'] },
  })
  const undone = await server.call(routes.undo, { params: { sessionId }, body: {} })
  expect(undone).toMatchObject({ activeLeafId: 'a3', deletedIds: [activeLeafId] })
})
