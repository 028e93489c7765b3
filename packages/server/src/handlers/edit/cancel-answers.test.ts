import { afterAll, beforeAll, expect, test } from 'vitest'
import { gatedModels } from '../../testing/gated-models.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { watchSession } from '../../testing/watch-session.ts'
import { generation } from '../../wire/testing/sample-session.ts'
import { growSession, readStored, refused, sendEdit } from './testing/edit-session.ts'

let server: TestServer
beforeAll(async () => {
  // Says one thing and then nothing, until it is cancelled.
  const { models } = gatedModels(async function* ({ abortSignal }) {
    yield 'So far'
    await new Promise((_, reject) => abortSignal?.addEventListener('abort', () => reject(abortSignal.reason)))
    return undefined
  })
  server = await startTestServer({ agent: { models } })
})
afterAll(() => server[Symbol.asyncDispose]())

/** An answer to u3 that is on its way. */
async function generating(sessionId: string): Promise<string> {
  const { hub, generations } = server.server.services
  const [nodeId] = await hub.use(sessionId, (live) => generations.start(live, { parentId: 'u3' }))
  return nodeId!
}

test('an answer that is deleted while it is generated is cancelled, and what it said is kept with it', async () => {
  const sessionId = await growSession(server)
  using watched = await watchSession(server.server, sessionId)
  const nodeId = await generating(sessionId)
  await watched.until('node.content.updated')
  expect(await refused(sendEdit(server, sessionId, [{ op: 'delete', nodeIds: ['u3'] }]))).toMatchObject({
    status: 409,
    code: 'subtree_generating',
  })
  const result = await sendEdit(server, sessionId, [{ op: 'delete', nodeIds: ['u3'], onGenerating: 'cancel' }])
  expect([result.deletedIds, result.warnings.map(({ code }) => code)]).toEqual([
    ['u3', 'a3', nodeId],
    ['active_leaf_moved'],
  ])
  const { node } = await watched.until('node.completed', (event) => event.node.id === nodeId)
  expect(node).toMatchObject({ content: 'So far', metadata: { finishReason: 'cancelled', isTruncated: true } })
  await sendEdit(server, sessionId, [{ op: 'restore', nodeIds: ['u3'] }])
  expect((await readStored(server, sessionId)).nodes[nodeId]).toMatchObject({ parentId: 'u3', content: 'So far' })
})

test('in a fragment it goes on unless it is to be cancelled or is a reason to refuse', async () => {
  const sessionId = await growSession(server)
  using watched = await watchSession(server.server, sessionId)
  const nodeId = await generating(sessionId)
  expect(
    await refused(sendEdit(server, sessionId, [{ op: 'prune', nodeId: 'a1', onGenerating: 'reject' }])),
  ).toMatchObject({ code: 'subtree_generating' })
  const { warnings } = await sendEdit(server, sessionId, [{ op: 'prune', nodeId: 'a1' }])
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'generating_in_fragment', nodeIds: [nodeId] }))
  await sendEdit(server, sessionId, [{ op: 'prune', nodeId: 'u3', onGenerating: 'cancel' }])
  await watched.until('node.completed', (event) => event.node.id === nodeId)
})

test('what another process generates cannot be cancelled from here, and the answer says so', async () => {
  const sessionId = await growSession(server)
  await server.server.services.hub.use(sessionId, ({ session }) =>
    session.append(generation('far'), { parentId: 'u3' }),
  )
  const { warnings } = await sendEdit(server, sessionId, [{ op: 'delete', nodeIds: ['u3'], onGenerating: 'cancel' }])
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'generating_elsewhere', nodeIds: ['far'] }))
})
