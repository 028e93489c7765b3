import type { ChatMessageNode } from '@treeline/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { watchSession } from '../../testing/watch-session.ts'
import { startTalkServer, type TalkServer } from './testing/talk-server.ts'

let server: TalkServer
beforeAll(async () => {
  server = await startTalkServer({ agent: { flags: { generation: { perSession: 1, total: 20, queued: 5 } } } })
})
afterAll(() => server[Symbol.asyncDispose]())

interface Listed {
  readonly generationId: string
  readonly nodeId: string
  readonly state: string
  readonly model: string
}

/** Asks something and gives where it is answered. */
async function ask(sid: string, content: string, query = '') {
  const { body, status } = await server.post(`${sid}/message${query}`, { parentId: null, content })
  const { generationId, node } = body.generations[0] ?? { generationId: '', node: { id: '' } }
  return { status, body, generationId, nodeId: node.id }
}

const list = (sid: string) => server.get<Listed[]>(`${sid}/generations`)
const nodeOf = (sid: string, id: string) => server.get<ChatMessageNode>(`${sid}/node/${id}`)

describe('one more than may run at once', () => {
  test('is refused, or waits when that is wanted; what it is given is what there was when it was asked for', async () => {
    const sid = await server.newSession()
    using watched = await watchSession(server.test.server, sid)
    const root = await server.post(`${sid}/message`, { parentId: null, content: 'Remember the plum', generate: false })
    const first = await ask(sid, 'Wait at the first gate')
    const { version } = await server.get(`${sid}/tree`)
    const refused = await server.post(`${sid}/message`, { parentId: null, content: 'Me too' })
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_generations' } })
    expect(refused.headers.get('retry-after')).toBe('1')
    expect((await server.get(`${sid}/tree`)).version).toBe(version)

    const parentId = root.body.node.id
    const queued = await server.post(`${sid}/message?queue=true`, { parentId, content: 'Which fruit?' })
    const { generationId, node } = queued.body.generations[0]!
    expect(node.status).toBe('generating')
    expect(await list(sid)).toMatchObject([
      { generationId: first.generationId, nodeId: first.nodeId, state: 'running', model: 'test/one' },
      { generationId, nodeId: node.id, state: 'queued', model: 'test/one' },
    ])
    await server.test.fetch(`/api/chat/${sid}/node/${parentId}/state`, {
      method: 'PUT',
      body: JSON.stringify({ isEnabled: false }),
    })
    await watched.until('nodes.state.updated')
    server.letGo('first')
    await watched.until('node.completed', (event) => event.node.id === node.id)
    expect(server.asked.at(-1)).toContain('plum')
    expect(await list(sid)).toEqual([])
  })

  test('is cancelled in the queue: an error without a word, and no model was asked', async () => {
    const sid = await server.newSession()
    using watched = await watchSession(server.test.server, sid)
    await ask(sid, 'Wait at the second gate')
    const asked = server.asked.length
    const { generationId, nodeId } = await ask(sid, 'Never heard', '?queue=true')
    const cancelled = await server.post(`${sid}/generations/${generationId}/cancel`, {})
    expect(cancelled).toMatchObject({ status: 202, body: { generationId, state: 'cancelling' } })
    const { problem, node } = await watched.until('node.failed', (event) => event.node.id === nodeId)
    expect(problem).toMatchObject({ code: 'cancelled', retryable: true })
    expect(node).toMatchObject({ status: 'error', content: '', metadata: { error: 'cancelled' } })
    server.letGo('second')
    await watched.until('node.completed')
    expect(server.asked.slice(asked).join()).not.toContain('Never heard')
  })
})

describe('text on its way', () => {
  test('W1 T31 comes after its node, without a gap, and ends before its end', async () => {
    const sid = await server.newSession()
    using watched = await watchSession(server.test.server, sid)
    const { nodeId } = await ask(sid, 'Wait at the third gate')
    await watched.until('node.content.updated')
    server.letGo('third')
    const done = await watched.until('node.completed')
    const told = watched.events.map((event) =>
      event.type === 'node.created' ? `created ${event.node.id}` : event.type,
    )
    const chunks = watched.events.flatMap((event) => (event.type === 'node.content.updated' ? [event.patch] : []))
    expect(told.indexOf('node.content.updated')).toBeGreaterThan(told.indexOf(`created ${nodeId}`))
    expect(told.lastIndexOf('node.content.updated')).toBeLessThan(told.indexOf('node.completed'))
    let text = ''
    for (const { id, offset, contentChunk } of chunks) {
      expect({ id, offset }).toEqual({ id: nodeId, offset: text.length })
      text += contentChunk
    }
    expect(text).toBe('So far, so good.')
    expect(done.node.content).toBe(text)
  })

  test('is kept when it is cancelled, and nothing more is told of it', async () => {
    const sid = await server.newSession()
    using watched = await watchSession(server.test.server, sid)
    const { generationId } = await ask(sid, 'Wait at the fourth gate')
    await watched.until('node.content.updated')
    await server.post(`${sid}/generations/${generationId}/cancel`, {})
    const { node } = await watched.until('node.completed')
    expect(node).toMatchObject({ status: 'complete', content: 'So far, ' })
    expect(node.metadata).toMatchObject({ isTruncated: true, finishReason: 'cancelled' })
    server.letGo('fourth')
    const again = await server.post(`${sid}/generations/${generationId}/cancel`, {})
    expect(again).toMatchObject({ status: 409, body: { code: 'generation_finished', nodeIds: [node.id] } })
    expect(again.body.detail).toContain(node.id)
    expect(watched.events.at(-1)!.type).toBe('node.completed')
  })

  test('R1 is put aside when nobody wants it: the node is deleted and can be restored', async () => {
    const sid = await server.newSession()
    using watched = await watchSession(server.test.server, sid)
    const { generationId, nodeId, body } = await ask(sid, 'Wait at the fifth gate')
    await watched.until('node.content.updated')
    await server.post(`${sid}/generations/${generationId}/cancel`, { keepPartial: false })
    expect((await watched.until('nodes.deleted')).ids).toEqual([nodeId])
    expect((await server.get(`${sid}/tree`)).activeLeafId).toBe(body.node.id)
    await using session = await server.test.store.open(sid)
    await session.edit({ operations: [{ op: 'restore', nodeIds: [nodeId] }] })
    await expect.poll(async () => (await nodeOf(sid, nodeId)).content).toBe('So far, ')
  })
})

test('what another process generates is listed, and is not cancelled from here', async () => {
  const sid = await server.newSession()
  using watched = await watchSession(server.test.server, sid)
  await using session = await server.test.store.open(sid)
  const { id: parentId } = await session.append({ type: 'message', message: { role: 'user', content: 'x' } })
  const data = { nodeId: 'theirs', parentId, model: 'test/one' }
  const announced = { type: 'custom', customType: 'treeline/generation', data }
  const { id: generationId } = await session.append(announced, { parentId })
  await watched.until('node.created', ({ node }) => node.id === 'theirs')
  expect(await list(sid)).toMatchObject([{ generationId, nodeId: 'theirs', state: 'running', model: 'test/one' }])
  const theirs = await server.post(`${sid}/generations/${generationId}/cancel`, {})
  expect(theirs).toMatchObject({ status: 404, body: { code: 'generation_not_found' } })
  expect(theirs.body.detail).toContain('another process')
  expect((await server.post(`${sid}/generations/nobody/cancel`, {})).status).toBe(404)
})

test('a failure of the model is in the tree, and says whether to try again', async () => {
  const sid = await server.newSession()
  using watched = await watchSession(server.test.server, sid)
  await ask(sid, 'Now fail please')
  const { problem, node } = await watched.until('node.failed')
  expect(problem).toMatchObject({ code: 'provider_error', retryable: true })
  expect(node.status).toBe('error')
})

test('one that will be tried again is still running, and can be cancelled', async () => {
  await using other = await startTalkServer({
    agent: { flags: { retry: { enabled: true, baseDelayMs: 60_000, maxDelayMs: 60_000 } } },
  })
  const sid = await other.newSession()
  using watched = await watchSession(other.test.server, sid)
  const { body } = await other.post(`${sid}/message`, { parentId: null, content: 'Begin and break off' })
  const { generationId } = body.generations[0]!
  await watched.until('node.failed')
  const listed = await other.get<readonly object[]>(`${sid}/generations`)
  expect(listed).toMatchObject([{ generationId, state: 'running' }])
  const cancelled = await other.post(`${sid}/generations/${generationId}/cancel`, {})
  expect(cancelled).toMatchObject({ status: 202, body: { state: 'cancelling' } })
  await expect.poll(() => other.test.server.services.generations.count).toBe(0)
})

test('what a process that died has left is closed for who stops it here', async () => {
  const sid = await server.newSession()
  using watched = await watchSession(server.test.server, sid)
  await using session = await server.test.store.open(sid)
  const { id: parentId } = await session.append({ type: 'message', message: { role: 'user', content: 'x' } })
  const data = { nodeId: 'left', parentId, model: 'test/one', writer: 'gone' }
  const { id } = await session.append({ type: 'custom', customType: 'treeline/generation', data }, { parentId })
  await watched.until('node.created', ({ node }) => node.id === 'left')
  expect(await server.post(`${sid}/generations/${id}/cancel`, {})).toMatchObject({
    status: 409,
    body: { code: 'generation_finished' },
  })
  expect((await watched.until('node.failed')).node).toMatchObject({ id: 'left', metadata: { error: 'interrupted' } })
})

test('R3 a server that closes keeps the text of what it is at', async () => {
  const other = await startTalkServer()
  const sid = await other.newSession()
  using watched = await watchSession(other.test.server, sid)
  const { body } = await other.post(`${sid}/message`, { parentId: null, content: 'Wait at the last gate' })
  await watched.until('node.content.updated')
  await other.test.server.close()
  await using session = await other.test.store.open(sid)
  const entry = await session.readEntry(body.generations[0]!.node.id)
  expect(entry?.message).toMatchObject({ stopReason: 'aborted', content: [{ type: 'text', text: 'So far, ' }] })
  await other[Symbol.asyncDispose]()
})
