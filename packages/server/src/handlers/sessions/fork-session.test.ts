import { routes } from '@treeline/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../../testing/ask.ts'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let sessionId: string
beforeAll(async () => {
  server = await startTestServer()
  await using session = await server.store.create({ title: 'Source' })
  const say = (id: string, parentId: string | null) =>
    session.append({ type: 'message', id, message: { role: 'user', content: id, timestamp: 0 } }, { parentId })
  await say('a1', null)
  await say('b1', 'a1')
  await say('b2', 'b1')
  await say('c1', 'a1')
  await session.branch('b2')
  sessionId = session.id
})
afterAll(() => server[Symbol.asyncDispose]())

const fork = (body: unknown, id = sessionId) => ask(server, routes.forkSession, { params: { sessionId: id }, body })

async function nodesOf(id: string): Promise<readonly string[]> {
  await using session = await server.store.open(id)
  const { tree } = session
  return [...tree.columns.subtree(0)].filter((ref) => ref > 0).map((ref) => tree.ids.textOf(ref))
}

test.each([
  ['path', null, ['a1', 'b1', 'b2']],
  ['path', 'c1', ['a1', 'c1']],
  ['subtree', 'b1', ['b1', 'b2']],
  ['tree', null, ['a1', 'b1', 'b2', 'c1']],
  ['tree', 'b1', ['a1', 'b1', 'b2', 'c1']],
])('a fork of the %s of %s', async (scope, nodeId, expected) => {
  const { status, body, headers } = await fork({ scope, nodeId })
  expect(status).toBe(201)
  expect(headers.get('location')).toBe(`/api/chat/sessions/${body.sessionId}`)
  expect((await nodesOf(body.sessionId)).toSorted()).toEqual(expected)
  const { body: summary } = await ask(server, routes.getSession, { params: { sessionId: body.sessionId } })
  expect(summary).toMatchObject({ title: 'Source', version: body.version })
  await using made = await server.store.open(body.sessionId)
  expect(made.header.parentSession).toBe(sessionId)
})

test('a title of its own counts, also where the copied lines name another', async () => {
  await using source = await server.store.open(sessionId)
  await source.rename('Named by a line')
  const { body } = await fork({ scope: 'tree', nodeId: null, title: 'Copy' })
  await using made = await server.store.open(body.sessionId)
  expect([made.name, made.seq]).toEqual(['Copy', body.version])
})

test('what tools may do unasked is not copied', async () => {
  const id = await server.say('Yolo')
  {
    await using source = await server.store.open(id)
    await source.setConfig({ approvalMode: 'yolo', approvalTools: ['bash'], model: 'demo/demo' })
  }
  for (const scope of ['path', 'tree']) {
    const { body } = await fork({ scope, nodeId: null }, id)
    await using made = await server.store.open(body.sessionId)
    expect(made.config).toMatchObject({ approvalMode: 'default', approvalTools: [], model: 'demo/demo' })
    expect(body.leftOut.join()).toContain('tools')
  }
})

test('what cannot be forked is refused, and nothing is made', async () => {
  const { length } = await server.store.list()
  expect((await fork({ scope: 'path', nodeId: 'nope' })).problem?.code).toBe('node_not_found')
  expect((await fork({ scope: 'subtree', nodeId: null })).problem).toMatchObject({ status: 422 })
  expect((await fork({ scope: 'path', nodeId: null }, 'no-such')).problem?.code).toBe('session_not_found')
  for (const body of [{}, { scope: 'all', nodeId: null }, { scope: 'path', nodeId: '../x' }, { scope: 'path' }]) {
    expect((await fork(body)).status).toBe(400)
  }
  expect(await server.store.list()).toHaveLength(length)
})
