import type { ChatMessageNode } from '@treeline/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { watchSession } from '../../testing/watch-session.ts'
import { type Posted, startTalkServer, type TalkServer } from './testing/talk-server.ts'

let server: TalkServer
beforeAll(async () => {
  server = await startTalkServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** A session with a question and its answer. */
async function begun(): Promise<{ readonly sid: string; readonly askedId: string; readonly answerId: string }> {
  const sid = await server.newSession()
  using watched = await watchSession(server.test.server, sid)
  const { body } = await server.post(`${sid}/message`, { parentId: null, content: 'Hello' })
  await watched.until('node.completed')
  return { sid, askedId: body.node.id, answerId: body.generations[0]!.node.id }
}

describe('a message', () => {
  test('T25 W5 is told before the place of its answer, the place before its text, and the leaf goes along once', async () => {
    const sid = await server.newSession()
    using watched = await watchSession(server.test.server, sid)
    const sent = await server.post(`${sid}/message`, { parentId: null, content: 'Hello' })
    const done = await watched.until('node.completed')

    const { node, generations, version } = sent.body
    const { generationId, node: place } = generations[0]!
    expect(sent.status).toBe(202)
    expect(sent.headers.get('etag')).toMatch(new RegExp(`^"v${version}\\.`))
    expect(sent.headers.get('location')).toBe(`/api/chat/${sid}/node/${node.id}`)
    expect(node).toMatchObject({ parentId: null, role: 'user', content: 'Hello', status: 'complete' })
    expect(place).toMatchObject({ parentId: node.id, role: 'assistant', content: '', status: 'generating' })
    expect(place.metadata).toMatchObject({ generationId, model: 'test/one', ext: { contextVersion: place.version } })
    expect(sent.body.activeLeafId).toBe(place.id)
    expect(watched.types()).toEqual(['node.created', 'node.created', 'active_leaf.updated', 'node.completed'])
    expect(watched.durable[0]).toMatchObject({ node: { id: node.id }, cause: { actor: 'test' } })
    expect(watched.durable[1]).toMatchObject({ node: { id: place.id }, cause: { actor: 'test' } })
    expect(done.node).toMatchObject({ id: place.id, content: 'Yes, 😀 of course.', status: 'complete' })
    expect(done.node.metadata).toMatchObject({ generationId, ext: { contextVersion: place.version } })
  })

  test('T20 T21 is answered by several side by side; the leaf goes to the first', async () => {
    const sid = await server.newSession()
    using watched = await watchSession(server.test.server, sid)
    const generate = [{ model: 'test/one', nodeId: 'a-1' }, { model: 'test/two', label: 'second' }, {}]
    const { body } = await server.post(`${sid}/message`, { parentId: null, content: 'Hello', nodeId: 'u-1', generate })
    for (const { node } of body.generations) await watched.until('node.completed', (event) => event.node.id === node.id)

    expect(body.generations.map(({ node }) => node.metadata?.model)).toEqual(['test/one', 'test/two', 'test/one'])
    expect(body.activeLeafId).toBe('a-1')
    const told = watched.durable.flatMap((event) => {
      if (event.type === 'node.created') return [event.node.id]
      return event.type === 'active_leaf.updated' ? [`leaf ${event.activeLeafId}`] : []
    })
    const ids = body.generations.map(({ node }) => node.id)
    expect(told.filter((one) => !one.startsWith('leaf'))).toEqual(['u-1', ...ids])
    // Told with the node it names, once the node is known.
    expect(told.filter((one) => one.startsWith('leaf')).at(-1)).toBe('leaf a-1')
    expect(told.indexOf('leaf a-1')).toBeGreaterThan(told.indexOf('a-1'))
    const { nodes } = await server.get(`${sid}/tree`)
    expect(nodes['u-1']!.childrenIds).toEqual(ids)
    expect(nodes[ids[1]!]!.metadata?.labels).toEqual(['second'])
  })

  test('on another branch steals nobody’s view, unless that is wanted', async () => {
    const { sid, askedId, answerId } = await begun()
    const elsewhere = { parentId: askedId, content: 'And?', generate: false }
    expect((await server.post(`${sid}/message`, elsewhere)).body).toMatchObject({ activeLeafId: answerId })
    const always = await server.post(`${sid}/message`, { ...elsewhere, activate: 'always' })
    expect(always).toMatchObject({ status: 201, body: { generations: [], activeLeafId: always.body.node.id } })
    const never = { parentId: always.body.node.id, content: 'And?', generate: false, activate: 'never' }
    expect((await server.post(`${sid}/message`, never)).body.activeLeafId).toBe(always.body.node.id)
  })

  test('of the system, with words of its own, is kept and not answered', async () => {
    const sid = await server.newSession()
    const metadata = { ext: { app: { x: 1 } } }
    const sent = await server.post(`${sid}/message`, { parentId: null, role: 'system', content: 'Be brief.', metadata })
    expect(sent).toMatchObject({ status: 201, body: { node: { role: 'system', metadata } } })
    const silent = { parentId: sent.body.node.id, role: 'system', content: 'Very.', generate: {} }
    expect(await server.post(`${sid}/message`, silent)).toMatchObject({
      status: 422,
      body: { code: 'invalid_role_sequence' },
    })
    using watched = await watchSession(server.test.server, sid)
    await server.post(`${sid}/message`, { parentId: sent.body.node.id, content: 'Are you?' })
    await watched.until('node.completed')
    expect(server.asked.at(-1)).toContain('Be brief.')
  })

  test('holds texts and images; what only a model says is refused', async () => {
    const sid = await server.newSession()
    const image = { type: 'image', blob: 'data:image/png;base64,aGk=', mimeType: 'image/png' }
    const content = [{ type: 'text', text: 'Look' }, image]
    const sent = await server.post(`${sid}/message`, { parentId: null, content, generate: false })
    expect(sent.body.node).toMatchObject({ content: 'Look', parts: content })
    for (const part of [
      { type: 'reasoning', text: 'Hm' },
      { ...image, blob: 'blob:sha256:../../etc/passwd' },
      { ...image, blob: `blob:sha256:${'0'.repeat(64)}` },
    ]) {
      expect(await server.post(`${sid}/message`, { parentId: null, content: [part] })).toMatchObject({
        status: 422,
        body: { code: 'validation_failed' },
      })
    }
    expect((await server.post(`${sid}/message`, { parentId: null, content: ' ' })).status).toBe(422)
  })

  test('T18 in the stash is answered there, and moves nothing', async () => {
    const { sid, askedId, answerId } = await begun()
    await using session = await server.test.store.open(sid)
    await session.edit({ operations: [{ op: 'prune', nodeId: askedId }] })
    using watched = await watchSession(server.test.server, sid)
    const sent = await server.post(`${sid}/message`, { parentId: answerId, content: 'There?', activate: 'always' })
    expect(sent).toMatchObject({ status: 202, body: { activeLeafId: askedId, warnings: [{ code: 'in_stash' }] } })
    await watched.until('node.completed')
    expect(server.asked.at(-1)).not.toContain('Hello')
  })
})

test('D4 nobody’s line comes between a message and the places of its answers, however many write', async () => {
  const sid = await server.newSession()
  await using terminal = await server.test.store.open(sid)
  let isOver = false
  const writing = (async () => {
    for (let i = 0; !isOver; i++) await terminal.setLabel((await terminal.append(said(`t-${i}`))).id, 'mine')
  })()
  const sent = Array.from({ length: 6 }, (_, i) => {
    const generate = ['x', 'y', 'z'].map((name) => ({ nodeId: `${name}-${i}` }))
    return server.post(`${sid}/message`, {
      parentId: null,
      content: 'Go',
      nodeId: `u-${i}`,
      generate,
      activate: 'never',
    })
  })
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  isOver = true
  await writing
  expect(statuses.filter((status) => status === 202).length).toBeGreaterThan(0)
  const { tree } = terminal
  await terminal.refresh()
  for (const [i, status] of statuses.entries()) {
    if (status !== 202) continue
    const first = tree.orderOf(tree.ids.find(`u-${i}`))
    const last = Math.max(...['x', 'y', 'z'].map((name) => tree.orderOf(tree.ids.find(`${name}-${i}`))))
    const between = Array.from({ length: last - first }, (_, row) => tree.ids.textOf(tree.refAtRow(first + row + 1)))
    const kinds = (await terminal.readEntries(between)).map((entry) => entry?.customType)
    expect(kinds.filter((kind) => kind === 'treeline/generation')).toHaveLength(3)
    const others = kinds.flatMap((kind, at) => (kind === 'treeline/generation' ? [] : [between[at]!]))
    for (const id of others) expect(tree.edits.recordById.get(id)?.auto).toBe(true)
  }
})

describe('what is refused', () => {
  test('leaves nothing behind: no parent, an unknown one, one that is still being written, a stale look', async () => {
    const { sid, askedId } = await begun()
    const slow = await server.post(`${sid}/node/${askedId}/generate`, { specs: [{ label: 'wait' }] })
    expect(slow.status).toBe(202)
    const running = await server.post(`${sid}/message`, { parentId: null, content: 'Wait at the stuck gate' })
    const placeId = running.body.generations[0]!.node.id
    await using session = await server.test.store.open(sid)
    await session.edit({ operations: [{ op: 'mute', nodeIds: [askedId] }] })
    const { version } = await server.get(`${sid}/tree`)
    const cases = [
      [{ content: 'x' }, 400, 'bad_request'],
      [{ parentId: 'nobody', content: 'x' }, 404, 'node_not_found'],
      [{ parentId: placeId, content: 'x' }, 409, 'parent_generating'],
      [{ parentId: askedId, content: 'x', baseVersion: 2 }, 409, 'stale_node'],
      [{ parentId: askedId, content: 'x', generate: false, baseVersion: 2 }, 409, 'stale_node'],
      [{ parentId: askedId, content: 'x', generate: { model: 'nobody/none' } }, 422, 'validation_failed'],
      [{ parentId: askedId, content: 'x', generate: { strategy: 'magic' } }, 422, 'validation_failed'],
      [{ parentId: askedId, content: 'x', generate: { params: { temperature: 2 } } }, 422, 'validation_failed'],
      [{ parentId: askedId, content: 'x'.repeat(400_000) }, 422, 'context_overflow'],
      [{ parentId: askedId, content: 'x', oops: 1 }, 400, 'validation_failed'],
    ] as const
    for (const [body, status, code] of cases) {
      expect(await server.post(`${sid}/message`, body)).toMatchObject({ status, body: { code } })
    }
    const one = { parentId: askedId, content: 'x'.repeat(400_000) }
    const beside = await server.post(`${sid}/message`, { ...one, generate: [{ model: 'test/locked' }, {}] })
    expect(beside).toMatchObject({ status: 422, body: { code: 'context_overflow' } })
    const tooLong = await server.post(`${sid}/message`, { parentId: askedId, content: 'x'.repeat(400_000) })
    expect(tooLong.body.tokens).toBeGreaterThan(100_000)
    expect((await server.get(`${sid}/tree`)).version).toBe(version)
    server.letGo('stuck')
  })

  test('T36 in linear mode it goes behind the newest message, and nobody says where', async () => {
    const { sid, askedId, answerId } = await begun()
    await using session = await server.test.store.open(sid)
    await session.edit({
      operations: [
        { op: 'session', patch: { mode: 'linear' } },
        { op: 'leaf', leafId: askedId },
      ],
    })
    const named = { parentId: answerId, content: 'x', generate: false }
    expect(await server.post(`${sid}/message`, named)).toMatchObject({ status: 403, body: { code: 'linear_mode' } })
    const sent = await server.post(`${sid}/message`, { content: 'x', generate: false })
    expect(sent.body.node.parentId).toBe(answerId)
  })
})

describe('a retry', () => {
  const message = { parentId: null, content: 'Hello', nodeId: 'u-1', generate: [{ nodeId: 'a-1' }, {}] }

  test('D3 under the same ids gets what exists, also while the first attempt is on its way', async () => {
    const sid = await server.newSession()
    const [first, second] = await Promise.all([1, 2].map(() => server.post(`${sid}/message`, message)))
    const third = await server.post(`${sid}/message`, message)
    const ids = ({ body }: Posted) => body.generations.map(({ node }) => node.id)
    expect([first!.status, second!.status, third.status]).toEqual([202, 202, 202])
    expect(ids(second!)).toEqual(ids(first!))
    expect(ids(third)).toEqual(ids(first!))
    expect(Object.keys((await server.get(`${sid}/tree`)).nodes)).toHaveLength(3)
  })

  test('D3 goes on where the first attempt ended: a message without its answers gets them', async () => {
    const sid = await server.newSession()
    await server.post(`${sid}/message`, { ...message, generate: false })
    const again = await server.post(`${sid}/message`, message)
    expect(again).toMatchObject({ status: 202, body: { activeLeafId: 'a-1' } })
    expect(again.body.generations).toHaveLength(2)
  })

  test('D3 in linear mode gets what exists, while its answer comes and when it is there', async () => {
    const sid = await server.newSession()
    await using session = await server.test.store.open(sid)
    await session.edit({ operations: [{ op: 'session', patch: { mode: 'linear' } }] })
    using watched = await watchSession(server.test.server, sid)
    const said = { content: 'Wait at the linear gate', nodeId: 'u-1' }
    const first = await server.post(`${sid}/message`, said)
    const second = await server.post(`${sid}/message`, said)
    server.letGo('linear')
    await watched.until('node.completed')
    const third = await server.post(`${sid}/message`, said)
    expect([first.status, second.status, third.status]).toEqual([202, 202, 202])
    for (const { body } of [second, third]) expect(body.generations).toEqual(first.body.generations)
    const other = await server.post(`${sid}/message`, { ...said, content: 'Other' })
    expect(other).toMatchObject({ status: 409, body: { code: 'id_in_use' } })
  })

  test.each([
    ['other words', { ...message, content: 'Bye' }],
    ['another place', { ...message, parentId: 'a-1' }],
    ['another answer’s id', { ...message, nodeId: 'u-2', generate: { nodeId: 'u-1' } }],
    ['its own id for its answer', { ...message, nodeId: 'u-4', generate: { nodeId: 'u-4' } }],
    ['an id twice', { ...message, nodeId: 'u-3', generate: [{ nodeId: 'a-3' }, { nodeId: 'a-3' }] }],
  ])('D3 with %s is none', async (_, other) => {
    const sid = await server.newSession()
    using watched = await watchSession(server.test.server, sid)
    await server.post(`${sid}/message`, message)
    await watched.until('node.completed', ({ node }) => node.id === 'a-1')
    expect(await server.post(`${sid}/message`, other)).toMatchObject({ status: 409, body: { code: 'id_in_use' } })
    expect(Object.keys((await server.get(`${sid}/tree`)).nodes)).toHaveLength(3)
  })
})

describe('said differently', () => {
  test('a question gets a sibling that is answered, and the view goes there; the original stays', async () => {
    const { sid, askedId } = await begun()
    using watched = await watchSession(server.test.server, sid)
    const edited = await server.post(`${sid}/node/${askedId}/edit`, { content: 'Hi', nodeId: 'u-9' })
    expect(edited).toMatchObject({ status: 202, body: { node: { id: 'u-9', parentId: null, content: 'Hi' } } })
    expect(edited.body.node.metadata).toEqual({ editedFrom: askedId })
    expect(edited.body.activeLeafId).toBe(edited.body.generations[0]!.node.id)
    await watched.until('node.completed')
    expect((await server.get<ChatMessageNode>(`${sid}/node/${askedId}`)).content).toBe('Hello')
  })

  test('an answer is put into other words and not answered', async () => {
    const { sid, askedId, answerId } = await begun()
    const edited = await server.post(`${sid}/node/${answerId}/edit`, { content: 'No.' })
    expect(edited).toMatchObject({
      status: 201,
      body: { node: { parentId: askedId, role: 'assistant', content: 'No.' } },
    })
    expect(edited.body.node.metadata).toMatchObject({ editedFrom: answerId, model: 'test/one' })
    const answered = await server.post(`${sid}/node/${answerId}/edit`, { content: 'No.', generate: {} })
    expect(answered).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
  })
})

test('C2 answers that are asked for on a stale look are none: no place of them is left behind', async () => {
  const { sid, askedId } = await begun()
  await using session = await server.test.store.open(sid)
  for (const op of ['mute', 'unmute'] as const) await session.edit({ operations: [{ op, nodeIds: [askedId] }] })
  const { version } = await server.get(`${sid}/tree`)
  const stale = await server.post(`${sid}/node/${askedId}/generate`, { specs: [{}, {}, {}], baseVersion: 2 })
  expect(stale).toMatchObject({ status: 409, body: { code: 'stale_node' } })
  expect((await server.get(`${sid}/tree`)).version).toBe(version)
  const fresh = await server.post(`${sid}/node/${askedId}/generate`, { specs: [{}, {}, {}], baseVersion: version })
  expect(fresh).toMatchObject({ status: 202, body: { generations: [{}, {}, {}] } })
})

test('regenerating an answer gives it a sibling; a retry with its id gives that one', async () => {
  const { sid, askedId, answerId } = await begun()
  const again = () => server.post(`${sid}/node/${answerId}/generate`, { specs: [{ nodeId: 'b-1' }] })
  const first = await again()
  expect(first).toMatchObject({ status: 202, body: { activeLeafId: 'b-1' } })
  expect(first.body.generations[0]!.node.parentId).toBe(askedId)
  expect((await again()).body.generations).toEqual(first.body.generations)
  const taken = await server.post(`${sid}/node/${answerId}/generate`, { specs: [{ nodeId: askedId }] })
  expect(taken).toMatchObject({ status: 409, body: { code: 'id_in_use' } })
})

function said(id: string) {
  return { type: 'message', id, message: { role: 'user', content: 'Meanwhile', timestamp: 1 } }
}
