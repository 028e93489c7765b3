import { createCaller, type EditOp, routes } from '@treeline/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { growSession, readStored, refused, sendEdit } from './testing/edit-session.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

type Patch = {
  readonly rating?: number | null
  readonly labels?: string[] | null
  readonly ext?: Record<string, unknown> | null
}
const patch = (sessionId: string, nodeId: string, body: Patch) =>
  server.call(routes.patchMetadata, { params: { sessionId, nodeId }, body })
const title = (sessionId: string, fragmentId: string, text: string) =>
  server.call(routes.patchFragment, { params: { sessionId, fragmentId }, body: { title: text } })
const drop = (sessionId: string, fragmentId: string, query: { purge?: boolean } = {}, call = server.call) =>
  call(routes.deleteFragment, { params: { sessionId, fragmentId }, query })

test('T18 metadata is merged, and null takes a value away', async () => {
  const sessionId = await growSession(server)
  const node = await patch(sessionId, 'a2', { rating: 4, labels: ['best'], ext: { app: { x: 1 } } })
  expect(node).toMatchObject({ id: 'a2', content: 'a2', version: 8, metadata: { rating: 4, labels: ['best'] } })
  const { metadata } = await patch(sessionId, 'a2', { rating: null, ext: { other: 2 } })
  expect(metadata).toMatchObject({ labels: ['best'], ext: { app: { x: 1 }, other: 2 } })
  expect(metadata).not.toHaveProperty('rating')
  expect((await readStored(server, sessionId)).nodes.a2!.metadata).toEqual(metadata)
  expect(await refused(patch(sessionId, 'nope', { rating: 1 }))).toMatchObject({ code: 'node_not_found' })
  expect(await refused(patch(sessionId, 'a2', { rating: 6 }))).toMatchObject({ status: 400 })
  expect(await refused(patch(sessionId, 'a2', {}))).toMatchObject({ status: 422, code: 'validation_failed' })
})

test('T18 of several operations on the labels of one node in one edit the last one counts', async () => {
  const sessionId = await growSession(server)
  const set = (labels: string[] | null): EditOp => ({ op: 'setMetadata', nodeId: 'a2', patch: { labels } })
  const labelsNow = async () => (await readStored(server, sessionId)).nodes.a2!.metadata?.labels
  await sendEdit(server, sessionId, [set(['one'])])
  const { inverse } = await sendEdit(server, sessionId, [set(['two', 'three']), set(['four'])])
  expect(await labelsNow()).toEqual(['four'])
  await sendEdit(server, sessionId, inverse as unknown as EditOp[])
  expect(await labelsNow()).toEqual(['one'])
})

test('T18 a node has several labels; the first is one that other tools know, and each edit of them can be taken back', async () => {
  const sessionId = await growSession(server)
  const labelsNow = async () => (await readStored(server, sessionId)).nodes.a2!.metadata?.labels
  const set = (labels: string[] | null) =>
    sendEdit(server, sessionId, [{ op: 'setMetadata', nodeId: 'a2', patch: { labels } }])
  const lists = [['one'], ['one', 'two', 'three'], ['four', 'two'], ['four', 'five'], ['six'], null] as const
  const inverses: EditOp[][] = []
  for (const labels of lists) {
    const { inverse } = await set(labels && [...labels, ...labels, ''])
    expect(await labelsNow()).toEqual(labels ?? undefined)
    inverses.push(inverse as unknown as EditOp[])
  }
  for (const labels of [...lists].reverse().slice(1)) {
    await sendEdit(server, sessionId, inverses.pop()!)
    expect(await labelsNow()).toEqual(labels)
  }
  await using terminal = await server.store.open(sessionId)
  expect(terminal.tree.edits.labels.get('a2')?.label).toBe('one')
  await patch(sessionId, 'a2', { labels: ['one', 'two'] })
  const { version } = await patch(sessionId, 'a2', { labels: ['one', 'two'] })
  const branches = await server.call(routes.getBranches, { params: { sessionId } })
  expect(branches.find(({ leafId }) => leafId === 'a2')?.labels).toEqual(['one', 'two'])
  expect((await patch(sessionId, 'a2', { labels: ['one', 'two'] })).version).toBe(version)
  const many = Array.from({ length: 21 }, String)
  expect(await refused(patch(sessionId, 'a2', { labels: many }))).toMatchObject({ status: 422 })
})

test('what is so already is no line and no event', async () => {
  const sessionId = await growSession(server)
  const values = { rating: 4, labels: ['best'], ext: { app: { x: 1 }, treeline: { pinned: true } } }
  const { version } = await patch(sessionId, 'a2', values)
  expect((await patch(sessionId, 'a2', values)).version).toBe(version)
  expect((await patch(sessionId, 'a2', { rating: 4, ext: { none: null } })).version).toBe(version)
  expect((await patch(sessionId, 'u1', { rating: null, labels: null })).version).toBe(2)
  expect((await patch(sessionId, 'a2', { rating: 5, labels: ['best'] })).version).toBe(version + 1)
  expect(await refused(patch(sessionId, 'nope', { rating: null }))).toMatchObject({ code: 'node_not_found' })
  await sendEdit(server, sessionId, [{ op: 'prune', nodeId: 'u2', include: 'self' }])
  const named = async () => {
    await title(sessionId, 'u2', ' Later ')
    await using session = await server.store.open(sessionId, { readOnly: true })
    return session.seq
  }
  expect([await named(), await named()]).toEqual([version + 3, version + 3])
})

test('T40 a fragment gets a title, also in the answers that name it, and loses it', async () => {
  const sessionId = await growSession(server)
  await sendEdit(server, sessionId, [{ op: 'prune', nodeId: 'u2', include: 'self' }])
  expect(await title(sessionId, 'u2', 'For later')).toMatchObject({
    fragmentId: 'u2',
    title: 'For later',
    nodeCount: 2,
    preview: 'u2',
  })
  const { fragments } = await sendEdit(server, sessionId, [{ op: 'setEnabled', nodeIds: ['u2'], isEnabled: false }])
  expect(fragments).toMatchObject([{ title: 'For later' }])
  expect(await title(sessionId, 'u2', '')).not.toHaveProperty('title')
  expect(await refused(title(sessionId, 'a3', 'x'))).toMatchObject({ status: 404, code: 'fragment_not_found' })
})

test('a fragment that is deleted can be restored, and deleting it twice is no error (D3)', async () => {
  const sessionId = await growSession(server)
  await sendEdit(server, sessionId, [{ op: 'prune', nodeId: 'u2', include: 'self' }])
  const before = await readStored(server, sessionId)
  expect(await drop(sessionId, 'u2')).toEqual({ version: 9, deletedIds: ['u2', 'a2'] })
  expect((await readStored(server, sessionId)).fragments).toEqual([])
  expect(await drop(sessionId, 'u2')).toEqual({ version: 9, deletedIds: ['u2', 'a2'] })
  await sendEdit(server, sessionId, [{ op: 'restore', nodeIds: ['u2'] }])
  expect((await readStored(server, sessionId)).fragments).toEqual(before.fragments)
  await sendEdit(server, sessionId, [{ op: 'delete', nodeIds: ['u3'] }])
  for (const id of ['a1', 'u3', 'nope']) {
    expect(await refused(drop(sessionId, id))).toMatchObject({ code: 'fragment_not_found' })
  }
})

test('a fragment is not purged over HTTP: that needs an admin, who is told what to do instead', async () => {
  const sessionId = await growSession(server)
  await sendEdit(server, sessionId, [{ op: 'prune', nodeId: 'u2', include: 'self' }])
  const before = await readStored(server, sessionId)
  const token = await server.credentials.createToken({ name: 'writer', scope: 'write' })
  const call = createCaller({ baseUrl: server.url, token, retries: 0 })
  expect(await refused(drop(sessionId, 'u2', { purge: true }, call))).toMatchObject({ status: 403, code: 'forbidden' })
  const problem = await refused(drop(sessionId, 'u2', { purge: true }))
  expect(problem).toMatchObject({ status: 422, code: 'validation_failed' })
  expect(problem.detail).toContain('treeline scrub')
  expect(await readStored(server, sessionId)).toEqual(before)
})
