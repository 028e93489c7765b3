import { type ColumnsTree, readColumns, type SkeletonNode, skeletonNodeSchema, type Trunk } from '@treeline/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { generation, user } from '../../wire/testing/sample-session.ts'
import { chain, read, refusal, talk } from './testing/read.ts'

const LENGTH = 20_000
const MAX_BYTES = 2 * 1024 * 1024
let server: TestServer
let sessionId: string
beforeAll(async () => {
  server = await startTestServer({ limits: { treeBytes: MAX_BYTES } })
  sessionId = await chain(server, LENGTH)
})
afterAll(() => server[Symbol.asyncDispose]())

async function stream(id: string, query = ''): Promise<{ head: Record<string, unknown>; nodes: SkeletonNode[] }> {
  const response = await server.fetch(`/api/chat/${id}/tree?view=skeleton&stream=1${query}`)
  expect(response.headers.get('content-type')).toContain('application/x-ndjson')
  const [head, ...lines] = (await response.text()).trimEnd().split('\n')
  return { head: JSON.parse(head!), nodes: lines.map((line) => JSON.parse(line) as SkeletonNode) }
}

test('a chain of 20,000 nodes is read whole, as columns and as a stream, and both say the same', async () => {
  const { body } = await read(server, 'getTree', { sessionId }, { view: 'columns' })
  const { columns: packed, version } = body as ColumnsTree
  const columns = readColumns(packed)
  expect(columns.id).toHaveLength(LENGTH)
  expect(columns.parent.every((parent, i) => parent === i - 1)).toBe(true)
  const { head, nodes } = await stream(sessionId)
  expect(head).toMatchObject({ sessionId, version, rootNodeIds: ['n0'], activeLeafId: `n${LENGTH - 1}` })
  expect(nodes.map(({ id }) => id)).toEqual(columns.id)
  expect(nodes.every(({ timestamp }, i) => Date.parse(timestamp) === columns.time[i])).toBe(true)
  expect(skeletonNodeSchema.parse(nodes[7])).toEqual(nodes[7])
  expect(nodes[7]).toMatchObject({ parentId: 'n6', preview: 'says 7', childCount: 1, role: 'assistant' })
})

test('nodes that are too long for one answer say less each, and that they do; all of it is read by itself', async () => {
  await using session = await server.store.create({ cwd: '/tmp' })
  const ids = Array.from({ length: 20 }, (_, i) => `long-${i}`)
  // Each takes six bytes on the way, and the emoji must not be torn.
  const text = `${'\u0001'.repeat(30_000)}${'😀'.repeat(30_000)}`
  for (const id of ids) await session.append(user(text, id))
  const params = { sessionId: session.id }
  const response = await server.fetch(`/api/chat/${session.id}/nodes?ids=${ids.join(',')}`)
  const bytes = await response.text()
  expect(bytes.length).toBeLessThan(MAX_BYTES)
  const { nodes } = JSON.parse(bytes) as { nodes: { id: string; content: string }[] }
  expect(nodes.map(({ id }) => id)).toEqual(ids)
  for (const node of nodes) {
    expect(node).toMatchObject({ contentTruncated: true, contentLength: text.length })
    expect(text.startsWith(node.content)).toBe(true)
    expect(node.content.isWellFormed()).toBe(true)
  }
  const { body } = await read(server, 'getNodes', params, { ids: 'long-0' })
  expect(body.nodes[0]).toMatchObject({ content: text })
})

test('T11 its trunk is read from the leaf upwards, page by page', async () => {
  const trunk = async (cursor?: string) =>
    (await read(server, 'getTree', { sessionId }, { view: 'trunk', ...(cursor && { cursor }) })).body as Trunk
  const last = await trunk()
  expect(last.items).toHaveLength(200)
  expect(last.items.at(-1)).toMatchObject({ node: { id: `n${LENGTH - 1}` }, hiddenBefore: 0 })
  const above = await trunk(last.before!)
  expect(above.items.map(({ node }) => node.id)).toEqual(Array.from({ length: 200 }, (_, i) => `n${LENGTH - 400 + i}`))
})

test('it is drawn as far as its lines are not too wide, compared, and told as the model would receive it', async () => {
  const text = (await read(server, 'getTreeText', { sessionId })).body as unknown as string
  const lines = text.trimEnd().split('\n')
  expect(lines.slice(0, 2)).toEqual(['└── [user] says 0', '    └── [assistant] says 1'])
  expect(text.length).toBeLessThan(MAX_BYTES * 1.1)
  expect(lines.at(-1)).toBe(`… ${LENGTH - (lines.length - 1)} more`)
  expect(await refusal(server, 'compare', { sessionId }, { left: 'n0', right: `n${LENGTH - 1}` })).toBe(
    '422 validation_failed',
  )
  const { body } = await read(server, 'compare', { sessionId }, { left: `n${LENGTH - 2}`, right: `n${LENGTH - 1}` })
  expect(body).toMatchObject({ commonAncestorId: `n${LENGTH - 2}`, left: [], right: [{ id: `n${LENGTH - 1}` }] })
  const { messages, warnings } = (await read(server, 'getContext', { sessionId })).body
  expect(messages).toHaveLength(LENGTH + 1)
  expect(warnings).toMatchObject([{ code: 'context_overflow' }])
  expect((await read(server, 'getBranches', { sessionId })).body).toMatchObject([{ length: LENGTH, isTrunk: true }])
})

test('a trunk shows what is not muted, says how much is hidden where, and which siblings there are', async () => {
  await using session = await talk(server, 'u1', 'a1', 'u2', 'a2', 'u3', 'a3', 'u4', 'a4<u3')
  const trunk = async (query = {}) =>
    (await read(server, 'getTree', { sessionId: session.id }, { view: 'trunk', ...query })).body as Trunk
  await session.edit({ operations: [{ op: 'mute', nodeIds: ['u1', 'a1', 'a2', 'a4'] }] })
  const shown = ({ items }: Trunk) => items.map(({ node, hiddenBefore }) => [node.id, hiddenBefore])
  const muted = await trunk()
  expect(shown(muted)).toEqual([
    ['u2', 2],
    ['u3', 1],
  ])
  expect(muted).toMatchObject({ activeLeafId: 'a4', hiddenAfter: 1, before: null })
  await session.edit({ operations: [{ op: 'unmute', nodeIds: ['a4', 'u1'] }] })
  const whole = await trunk()
  expect(shown(whole)).toEqual([
    ['u1', 0],
    ['u2', 1],
    ['u3', 1],
    ['a4', 0],
  ])
  expect(whole.items.at(-1)!.siblings).toEqual({ index: 1, count: 2, ids: ['a3', 'a4'] })
  const first = await trunk({ limit: 3 })
  expect(shown(first)).toEqual(shown(whole).slice(1))
  expect(shown(await trunk({ cursor: first.before! }))).toEqual([['u1', 0]])
  await session.edit({ operations: [{ op: 'session', patch: { mode: 'linear' } }] })
  expect((await trunk()).items.map(({ node }) => node.id)).toEqual(['u1', 'a1', 'u2', 'a2', 'u3', 'a4'])
})

test('a stream leaves out what came after it began, and tells of answers on their way and of the stash', async () => {
  await using session = await talk(server, 'u1', 'a1', 'u2<u1')
  await stream(session.id)
  await session.append(generation('a2'))
  await session.edit({ operations: [{ op: 'prune', nodeId: 'u1' }] })
  await session.append(user('on', 'u3'), { parentId: 'u1' })
  const { head, nodes } = await stream(session.id)
  expect(head).toMatchObject({
    version: session.seq,
    fragments: [{ fragmentId: 'a1' }, { fragmentId: 'u2' }],
    generating: [{ nodeId: 'a2', generationId: 'g-a2' }],
  })
  expect(nodes.map(({ id, status }) => [id, status])).toEqual([
    ['u1', 'complete'],
    ['a1', 'complete'],
    ['u2', 'complete'],
    ['a2', 'generating'],
    ['u3', 'complete'],
  ])
  expect((await stream(session.id, '&include=')).nodes.map(({ id }) => id)).toEqual(['u1', 'u3'])
  expect((await stream(session.id, '&atSeq=3')).nodes.map(({ id }) => id)).toEqual(['u1', 'a1'])
})

test('whoever leaves in the middle of a stream does not keep the session open', async () => {
  const { hub } = server.server.services
  const acquire = hub.acquire.bind(hub)
  const released = Promise.withResolvers<string>()
  hub.acquire = async (id) => {
    const lease = await acquire(id)
    return {
      live: lease.live,
      [Symbol.dispose]() {
        lease[Symbol.dispose]()
        released.resolve(id)
      },
    }
  }
  const left = new AbortController()
  const response = await server.fetch(`/api/chat/${sessionId}/tree?view=skeleton&stream=1`, { signal: left.signal })
  await response.body!.getReader().read()
  left.abort()
  expect(await released.promise).toBe(sessionId)
  hub.acquire = acquire
})
