import { createCaller, type EditOp, routes } from '@treeline/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { shapeOf } from '../../wire/testing/observe.ts'
import { growSession, readStored, refused, sendEdit } from './testing/edit-session.ts'

let server: TestServer
let other: Pick<TestServer, 'call'>
beforeAll(async () => {
  server = await startTestServer()
  const token = await server.credentials.createToken({ name: 'other', scope: 'write' })
  other = { call: createCaller({ baseUrl: server.url, token, retries: 0 }) }
})
afterAll(() => server[Symbol.asyncDispose]())

type Body = { readonly opId?: string; readonly baseVersion?: number }
const undo = (sessionId: string, body: Body = {}, { call }: Pick<TestServer, 'call'> = server) =>
  call(routes.undo, { params: { sessionId }, body })
const redo = (sessionId: string, body: Body = {}) => server.call(routes.redo, { params: { sessionId }, body })
const mute = (id: string): EditOp => ({ op: 'setEnabled', nodeIds: [id], isEnabled: false })

test('undo takes back one’s own latest edit, redo brings it back, and both answer as an edit does', async () => {
  const sessionId = await growSession(server)
  const before = shapeOf(await readStored(server, sessionId))
  const { opId } = await sendEdit(server, sessionId, [{ op: 'prune', nodeId: 'a1' }])
  const pruned = shapeOf(await readStored(server, sessionId))
  await sendEdit(other, sessionId, [mute('u1')])
  const undone = await undo(sessionId)
  expect(undone).toMatchObject({ version: 10, activeLeafId: 'a3', fragments: [] })
  expect(undone.changed.map(({ id }) => id).sort()).toEqual(['a1', 'u2', 'u3'])
  await undo(sessionId, {}, other)
  expect(shapeOf(await readStored(server, sessionId))).toEqual(before)
  expect((await redo(sessionId)).fragments.map(({ fragmentId }) => fragmentId).sort()).toEqual(['u2', 'u3'])
  expect(shapeOf(await readStored(server, sessionId))).toEqual(pruned)
  expect(opId).not.toBe(undone.opId)
})

test('where nothing of one’s own is left it says so, and who names an edit takes back also another’s', async () => {
  const sessionId = await growSession(server)
  expect(await refused(undo(sessionId))).toMatchObject({ status: 409, code: 'nothing_to_undo', currentVersion: 7 })
  expect(await refused(redo(sessionId))).toMatchObject({ status: 409, code: 'nothing_to_undo' })
  const { opId } = await sendEdit(other, sessionId, [mute('u1')])
  expect(await refused(undo(sessionId))).toMatchObject({ code: 'nothing_to_undo' })
  expect(await refused(undo(sessionId, { opId: 'nope' }))).toMatchObject({ status: 404, code: 'node_not_found' })
  expect(await refused(redo(sessionId, { opId: opId! }))).toMatchObject({ code: 'nothing_to_undo' })
  const { changed } = await undo(sessionId, { opId: opId! })
  expect(changed).toMatchObject([{ id: 'u1', isEnabled: true }])
})

test('D3 what is undone by name and asked for again stays undone, and so with redo', async () => {
  const sessionId = await growSession(server)
  const { opId } = await sendEdit(server, sessionId, [mute('u1')], { opId: 'e1' })
  const first = await undo(sessionId, { opId: opId! })
  expect(await undo(sessionId, { opId: opId! })).toEqual(first)
  const redone = await redo(sessionId, { opId: opId! })
  expect(redone.changed).toMatchObject([{ id: 'u1', isEnabled: false }])
  expect(await redo(sessionId, { opId: opId! })).toEqual(redone)
  expect(await redo(sessionId, { opId: first.opId! })).toEqual(redone)
  expect((await undo(sessionId, { opId: opId! })).version).toBe(redone.version + 1)
})

test('C2 what was changed again since is not undone, and the newer nodes are named', async () => {
  const sessionId = await growSession(server)
  const { opId } = await sendEdit(server, sessionId, [mute('u1')])
  const { version } = await sendEdit(other, sessionId, [{ ...mute('u1'), isEnabled: true } as EditOp])
  expect(await refused(undo(sessionId, { opId: opId! }))).toMatchObject({
    status: 409,
    code: 'stale_node',
    currentVersion: version,
    conflicts: [{ nodeId: 'u1', version }],
  })
  await sendEdit(server, sessionId, [mute('u3')])
  expect(await refused(undo(sessionId, { baseVersion: version }))).toMatchObject({ code: 'stale_node' })
})
