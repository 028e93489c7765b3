import { type EditOp, type EditResult, editResultSchema, problemSchema, routes } from '@treeline/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { watchSession } from '../../testing/watch-session.ts'
import { shapeOf } from '../../wire/testing/observe.ts'
import { generation } from '../../wire/testing/sample-session.ts'
import { growSession, readStored, refused, sendEdit } from './testing/edit-session.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const edit = (sessionId: string, ...asked: Asked) => sendEdit(server, sessionId, ...asked)
type Asked = Parameters<typeof sendEdit> extends [unknown, unknown, ...infer Rest] ? Rest : never

const PRUNE: EditOp = { op: 'prune', nodeId: 'a1' }

test('T26 an edit answers with what changed, the fragments, the way back and the version, which is its ETag', async () => {
  const sessionId = await growSession(server)
  const response = await server.fetch(`/api/chat/${sessionId}/tree/edit`, {
    method: 'PUT',
    body: JSON.stringify({ opId: 'e1', operations: [PRUNE, { op: 'setEnabled', nodeIds: ['u1'], isEnabled: false }] }),
  })
  expect(response.status).toBe(200)
  const result = editResultSchema.parse(await response.json())
  expect(response.headers.get('etag')).toMatch(new RegExp(`^"v${result.version}\\.`))
  expect(result).toMatchObject({ opId: 'e1', activeLeafId: 'a1', deletedIds: [] })
  expect(result.changed.map(({ id }) => id).sort()).toEqual(['a1', 'u1', 'u2', 'u3'])
  expect(result.changed.find(({ id }) => id === 'u1')).toMatchObject({ isEnabled: false, version: result.version })
  expect(
    result.fragments.map(({ fragmentId, nodeCount, fromParentId, opId }) => [
      fragmentId,
      nodeCount,
      fromParentId,
      opId,
    ]),
  ).toEqual([
    ['u2', 2, 'a1', 'e1'],
    ['u3', 2, 'a1', 'e1'],
  ])
  expect(result.warnings).toEqual([{ code: 'active_leaf_moved', nodeIds: ['a1'], detail: expect.any(String) }])
  expect((await readStored(server, sessionId)).activeLeafId).toBe('a1')
})

test('POST does the same, and its inverse, sent back, brings back what was', async () => {
  const sessionId = await growSession(server)
  const before = shapeOf(await readStored(server, sessionId))
  const body = { operations: [PRUNE] }
  const { inverse } = await server.call(routes.postEdit, { params: { sessionId }, body })
  expect(shapeOf(await readStored(server, sessionId))).not.toEqual(before)
  await edit(sessionId, inverse as unknown as EditOp[])
  expect(shapeOf(await readStored(server, sessionId))).toEqual(before)
})

test('a copy tells its new ids, and a deletion all that is gone', async () => {
  const sessionId = await growSession(server)
  const copied = await edit(sessionId, [{ op: 'graft', sourceId: 'u2', targetId: 'a3', mode: 'copy' }])
  expect(Object.keys(copied.idMap!)).toEqual(['u2', 'a2'])
  const copy = copied.changed.find(({ id }) => id === copied.idMap!.u2)
  expect(copy).toMatchObject({ content: 'u2', parentId: 'a3', metadata: { copiedFrom: 'u2' } })
  const deleted = await edit(sessionId, [{ op: 'delete', nodeIds: ['u2'] }])
  expect(deleted).toMatchObject({ deletedIds: ['u2', 'a2'], activeLeafId: 'a3' })
  expect(deleted.changed.map(({ id }) => id)).toEqual(['a1'])
})

test('a dry run answers what the edit would, and leaves no trace', async () => {
  const sessionId = await growSession(server)
  const operations: EditOp[] = [
    { op: 'graft', sourceId: 'u2', targetId: 'a3', mode: 'copy', idMap: { u2: 'c2', a2: 'd2' } },
    { op: 'setActiveLeaf', leafId: 'd2' },
    { op: 'delete', nodeIds: ['u2'] },
  ]
  const before = await readStored(server, sessionId)
  const dry = await edit(sessionId, operations, { dryRun: true })
  expect(await readStored(server, sessionId)).toEqual(before)
  expect(dry.opId).toBeNull()
  const meant = await edit(sessionId, operations)
  const withoutTime = ({ changed, version: _, opId: __, ...rest }: EditResult) => ({
    ...rest,
    changed: changed.map(({ version: ___, updatedAt: ____, timestamp: _____, ...node }) => node),
  })
  expect(withoutTime(dry)).toEqual(withoutTime(meant))
  expect(meant.version).toBe(dry.version + 1)
  const problem = await refused(edit(sessionId, [PRUNE, { op: 'prune', nodeId: 'x' }], { dryRun: true }))
  expect(problem).toMatchObject({ code: 'node_not_found', opIndex: 1 })
})

test('an edit that changes nothing is no line', async () => {
  const sessionId = await growSession(server)
  const { version, opId } = await edit(sessionId, [{ op: 'setEnabled', nodeIds: ['u1'], isEnabled: true }])
  expect({ version, opId }).toEqual({ version: 7, opId: null })
})

test('D3 a retry under its opId finds what it did; another edit under it is refused', async () => {
  const sessionId = await growSession(server)
  const first = await edit(sessionId, [PRUNE], { opId: 'mine' })
  const again = await edit(sessionId, [PRUNE], { opId: 'mine' })
  expect(again).toEqual({ ...first, warnings: [], changed: expect.anything(), fragments: expect.anything() })
  expect(new Set(again.changed)).toEqual(new Set(first.changed))
  expect(new Set(again.fragments)).toEqual(new Set(first.fragments))
  const other: EditOp = { op: 'setEnabled', nodeIds: ['u1'], isEnabled: false }
  expect(await refused(edit(sessionId, [other], { opId: 'mine' }))).toMatchObject({ code: 'id_in_use', status: 409 })
  expect(await refused(edit(sessionId, [other], { opId: 'u1' }))).toMatchObject({ code: 'id_in_use' })
  const at = await edit(sessionId, [{ op: 'setEnabled', nodeIds: ['u1'], isEnabled: true }])
  expect(at.version).toBe(first.version)
})

test('D3 the same request sent many times at once is one edit', async () => {
  const sessionId = await growSession(server)
  const operations: EditOp[] = [{ op: 'graft', sourceId: 'u2', targetId: null, mode: 'copy' }]
  const all = await Promise.all(Array.from({ length: 5 }, () => edit(sessionId, operations, { opId: 'once' })))
  expect(new Set(all.map(({ version }) => version)).size).toBe(1)
  expect((await readStored(server, sessionId)).roots).toHaveLength(2)
})

test('the id of an answer that is being generated is no id for an edit', async () => {
  const sessionId = await growSession(server)
  await server.server.services.hub.use(sessionId, async ({ session }) => {
    await session.append(generation('running'), { parentId: 'u2' })
  })
  expect(await refused(edit(sessionId, [PRUNE], { opId: 'running' }))).toMatchObject({ code: 'id_in_use' })
})

test('C2 a lost race is told with the nodes, the operation and the version, and changes nothing', async () => {
  const sessionId = await growSession(server)
  const { version: baseVersion } = await edit(sessionId, [{ op: 'setEnabled', nodeIds: ['u1'], isEnabled: false }])
  const { version } = await edit(sessionId, [{ op: 'prune', nodeId: 'u3' }])
  const before = await readStored(server, sessionId)
  const late: EditOp[] = [
    { op: 'setMetadata', nodeId: 'u1', patch: { rating: 1, labels: ['x'] } },
    { op: 'graft', sourceId: 'u2', targetId: 'u3' },
  ]
  const problem = await refused(edit(sessionId, late, { baseVersion }))
  expect(problemSchema.parse(problem)).toMatchObject({
    code: 'stale_node',
    status: 409,
    opIndex: 1,
    currentVersion: version,
    conflicts: [{ nodeId: 'u3', version, reason: 'changed since' }],
  })
  expect(await readStored(server, sessionId)).toEqual(before)
  // What others did elsewhere is no reason.
  await edit(sessionId, [{ op: 'setEnabled', nodeIds: ['u2'], isEnabled: false }], { baseVersion })
})

test('what is no edit is refused before anything is looked at', async () => {
  const sessionId = await growSession(server)
  for (const body of [{}, { operations: [] }, { operations: [{ op: 'explode' }] }, { operations: [PRUNE], extra: 1 }]) {
    const path = `/api/chat/${sessionId}/tree/edit`
    const response = await server.fetch(path, { method: 'PUT', body: JSON.stringify(body) })
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([400, 'validation_failed'])
  }
  expect(await refused(edit('nosuch', [PRUNE]))).toMatchObject({ code: 'session_not_found' })
})

test('the event of an edit names the request and the edit it comes from', async () => {
  const sessionId = await growSession(server)
  using watched = await watchSession(server.server, sessionId)
  const { opId } = await edit(sessionId, [{ op: 'prune', nodeId: 'u3', include: 'self' }])
  await watched.until('active_leaf.updated')
  const cause = { requestId: expect.any(String), opId, actor: 'test' }
  expect(watched.events).toMatchObject([
    { type: 'tree.pruned', nodeId: 'u3', cause },
    { type: 'active_leaf.updated', activeLeafId: 'a1', previous: 'a3', cause },
  ])
})

test('of an edit of very many nodes the first are given whole, and it says so', async () => {
  await using session = await server.store.create({ cwd: server.home.paths.home })
  const drafts = Array.from({ length: 1_200 }, (_, i) => ({
    type: 'message',
    id: `n${i}`,
    message: { role: 'user', content: 'x', timestamp: 1 },
  }))
  await session.appendAll(drafts)
  const operations: EditOp[] = [{ op: 'setEnabled', nodeIds: ['n0'], isEnabled: false, scope: 'subtree' }]
  const { changed, warnings } = await edit(session.id, operations)
  expect([changed.length, warnings.map(({ code }) => code)]).toEqual([1_000, ['changed_cut']])
})
