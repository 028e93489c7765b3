import { type EditOp, routes } from '@treeline/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { growSession, readStored, refused, sendEdit } from './testing/edit-session.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** With a muted node, something in the stash and something deleted. */
async function makeLinear(): Promise<string> {
  const sessionId = await growSession(server)
  await sendEdit(server, sessionId, [
    { op: 'setEnabled', nodeIds: ['u1'], isEnabled: false },
    { op: 'prune', nodeId: 'a2', include: 'self' },
    { op: 'delete', nodeIds: ['a3'] },
  ])
  await setMode(sessionId, 'linear')
  return sessionId
}

async function setMode(sessionId: string, mode: 'tree' | 'linear'): Promise<void> {
  await server.server.services.hub.use(sessionId, async ({ session }) => {
    await session.edit({ operations: [{ op: 'session', patch: { mode } }], by: 'test' })
  })
}

const STRUCTURAL: readonly EditOp[] = [
  { op: 'prune', nodeId: 'u1' },
  { op: 'graft', sourceId: 'u2', targetId: 'u3' },
  { op: 'setEnabled', nodeIds: ['u1'], isEnabled: true },
  { op: 'delete', nodeIds: ['u2'] },
  { op: 'restore', nodeIds: ['a3'] },
  { op: 'reorder', parentId: 'a1', childrenIds: ['u3', 'u2'] },
  { op: 'setActiveLeaf', leafId: 'u1' },
]

test('T36, X50 in linear mode nothing that cuts, moves, mutes or chooses is done, and nothing has changed by it', async () => {
  const sessionId = await makeLinear()
  const before = await readStored(server, sessionId)
  const { call } = server
  const rated: EditOp = { op: 'setMetadata', nodeId: 'u1', patch: { rating: 3, labels: ['x'] } }
  for (const op of STRUCTURAL) {
    for (const dryRun of [false, true]) {
      const problem = await refused(sendEdit(server, sessionId, [rated, op], { dryRun }))
      expect(problem).toMatchObject({ status: 403, code: 'linear_mode', opIndex: 1 })
    }
  }
  const params = { sessionId, nodeId: 'u1', fragmentId: 'a2' }
  const nodes = [{ id: 'u1', isEnabled: true }]
  const problems = await Promise.all(
    [
      call(routes.putNodeState, { params, body: { isEnabled: true } }),
      call(routes.putNodesState, { params, body: { nodes } }),
      call(routes.putNodesState, { params, body: { atomic: false, nodes } }),
      call(routes.putActiveLeaf, { params, body: { leafId: 'u1' } }),
      call(routes.deleteFragment, { params }),
    ].map((asked) => refused(asked)),
  )
  for (const problem of problems) {
    expect(problem).toMatchObject({ status: 403, code: 'linear_mode' })
    expect(problem.detail).toContain('"mode":"tree"')
  }
  expect(await readStored(server, sessionId)).toEqual(before)
})

test('nodes are rated and labelled and fragments named in linear mode; an undo does what an edit may', async () => {
  const sessionId = await makeLinear()
  const { call } = server
  const params = { sessionId, nodeId: 'u1', fragmentId: 'a2' }
  await call(routes.patchMetadata, { params, body: { rating: 3 } })
  await call(routes.patchFragment, { params, body: { title: 'Later' } })
  await call(routes.undo, { params, body: {} })
  const { changed } = await call(routes.undo, { params, body: {} })
  expect(changed[0]).not.toHaveProperty('metadata')
  await call(routes.redo, { params, body: {} })
  await call(routes.undo, { params, body: {} })
  // The change of mode itself is the latest now: taken back, the tree is there again, and before it stands the edit of it.
  await call(routes.undo, { params, body: {} })
  await setMode(sessionId, 'linear')
  const edits = await server.server.services.hub.use(sessionId, async ({ session }) => session.tree.edits.records)
  const [first] = edits
  expect(await refused(call(routes.undo, { params, body: { opId: first!.id } }))).toMatchObject({ code: 'linear_mode' })
  await setMode(sessionId, 'tree')
  await call(routes.undo, { params, body: { opId: first!.id } })
  expect(Object.keys((await readStored(server, sessionId)).nodes)).toHaveLength(6)
})
