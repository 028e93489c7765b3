import type { ChatHistoryTree, SkeletonTree } from '@treeline/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { user } from '../../wire/testing/sample-session.ts'
import { read, refusal, talk } from './testing/read.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ limits: { treeNodes: 4, fullPage: 3 } })
})
afterAll(() => server[Symbol.asyncDispose]())

type Query = Readonly<Record<string, string | number>>

const full = async (sessionId: string, query: Query = {}) =>
  (await read(server, 'getTree', { sessionId }, query)).body as ChatHistoryTree
const skeleton = async (sessionId: string, query: Query = {}) =>
  (await read(server, 'getTree', { sessionId }, { view: 'skeleton', ...query })).body as SkeletonTree

/** Page by page, with what happens between them. */
async function pages(sessionId: string, query: Query, between: (page: number) => Promise<unknown> = async () => {}) {
  const all: SkeletonTree[] = [await skeleton(sessionId, query)]
  for (let next = all[0]!.nextCursor; next !== null; next = all.at(-1)!.nextCursor) {
    await between(all.length)
    all.push(await skeleton(sessionId, { ...query, cursor: next }))
  }
  return all
}

const idsOf = (found: readonly SkeletonTree[]) => found.map(({ nodes }) => nodes.map(({ id }) => id))

describe('the tree', () => {
  test('T24 all of it with one request, and 304 for whoever has it', async () => {
    await using session = await talk(server, 'u1', 'a1', 'u2')
    const { id: sessionId } = session
    const { body, etag } = await read(server, 'getTree', { sessionId })
    expect(etag).toBe(`"v${session.seq}.${session.epoch}"`)
    expect(body).toMatchObject({
      sessionId,
      version: session.seq,
      rootNodeIds: ['u1'],
      activeLeafId: 'u2',
      nextCursor: null,
      nodes: {
        u1: { parentId: null, childrenIds: ['a1'], content: 'says u1', role: 'user', status: 'complete' },
        a1: { parentId: 'u1', childrenIds: ['u2'], role: 'assistant' },
        u2: { parentId: 'a1', childrenIds: [], isEnabled: true },
      },
    })
    for (const view of ['full', 'columns', 'skeleton', 'trunk']) {
      const known = { 'if-none-match': `W/"v1", ${etag}` }
      const again = await read(server, 'getTree', { sessionId }, { view }, known)
      expect([again.status, again.body, again.etag]).toEqual([304, '', etag])
    }
    await session.setLabel('u1', 'start')
    expect((await read(server, 'getTree', { sessionId }, {}, { 'if-none-match': etag! })).status).toBe(200)
  })

  test('an empty session has an empty tree in every view', async () => {
    await using session = await talk(server)
    const { id: sessionId } = session
    const head = { version: 1, rootNodeIds: [], rootNodeId: null, activeLeafId: null, nextCursor: null }
    expect(await full(sessionId)).toMatchObject({ ...head, nodes: {} })
    expect(await skeleton(sessionId)).toMatchObject({ ...head, nodes: [] })
    expect((await read(server, 'getTree', { sessionId }, { view: 'columns' })).body).toMatchObject({
      columns: { ids: '' },
    })
    expect((await read(server, 'getTree', { sessionId }, { view: 'trunk' })).body).toMatchObject({
      items: [],
      before: null,
    })
  })

  test('what was pruned is part of it unless it is asked for without, what was deleted only when asked for', async () => {
    await using session = await talk(server, 'u1', 'a1', 'u2<u1', 'a2<u1')
    const { id: sessionId } = session
    await session.edit({ operations: [{ op: 'prune', nodeId: 'u2', include: 'self' }] })
    await session.edit({ operations: [{ op: 'delete', nodeIds: ['a2'], how: 'subtree' }] })
    expect(Object.keys((await full(sessionId)).nodes)).toEqual(['u1', 'a1', 'u2'])
    expect((await full(sessionId)).fragments).toMatchObject([{ fragmentId: 'u2', preview: 'says u2', nodeCount: 1 }])
    expect(await full(sessionId, { include: '' })).toMatchObject({ fragments: [] })
    expect(idsOf([await skeleton(sessionId, { include: '' })])).toEqual([['u1', 'a1']])
    const everything = await full(sessionId, { include: 'fragments,deleted' })
    expect(Object.values(everything.nodes).filter(({ deleted }) => deleted)).toMatchObject([{ id: 'a2' }])
    expect((await skeleton(sessionId, { include: 'deleted' })).nodes.at(-1)).toMatchObject({ id: 'a2', deleted: true })
    const columns = (await read(server, 'getTree', { sessionId }, { view: 'columns', include: 'fragments,deleted' }))
      .body
    expect(columns).toMatchObject({
      columns: { ids: 'u1 a1 u2 a2', flags: [0, 0, 2, 32], parents: [0, 1, null, null] },
    })
  })
})

describe('pages', () => {
  test('without a limit there is as much as an answer may hold, and the rest behind its cursor', async () => {
    await using session = await talk(server, 'u1', 'a1', 'u2', 'a2', 'u3', 'a3')
    const first = await full(session.id)
    expect(Object.keys(first.nodes)).toEqual(['u1', 'a1', 'u2', 'a2'])
    const second = await full(session.id, { cursor: first.nextCursor! })
    expect(Object.keys(second.nodes)).toEqual(['u3', 'a3'])
    expect(second).toMatchObject({ nextCursor: null, version: first.version })
  })

  test('copies that one edit made, and what was left out between, split over pages without a gap', async () => {
    await using session = await talk(server, 'u1', 'a1', 'u2')
    const idMap = { u1: 'c1', a1: 'c2', u2: 'c3' }
    await session.edit({ operations: [{ op: 'graft', sourceId: 'u1', targetId: null, mode: 'copy', idMap }] })
    const between = (page: number) =>
      page === 4 ? session.edit({ operations: [{ op: 'delete', nodeIds: ['c1'], how: 'splice' }] }) : Promise.resolve()
    expect(idsOf(await pages(session.id, { limit: 1 }, between))).toEqual([
      ['u1'],
      ['a1'],
      ['u2'],
      ['c1'],
      ['c2'],
      ['c3'],
    ])
  })

  test('later pages show nodes as they are now, under the version of the first, without those that came after it', async () => {
    await using session = await talk(server, 'u1', 'a1', 'u2', 'a2')
    const all = await pages(session.id, { limit: 2 }, async () => {
      await session.append(user('later', 'u9'))
      await session.edit({ operations: [{ op: 'mute', nodeIds: ['u1', 'a2'] }] })
    })
    expect(idsOf(all)).toEqual([
      ['u1', 'a1'],
      ['u2', 'a2'],
    ])
    expect(all.map(({ version }) => version)).toEqual([all[0]!.version, all[0]!.version])
    // What changed on the first page is told by the events after its version.
    expect(all.flatMap(({ nodes }) => nodes.map(({ isEnabled }) => isEnabled))).toEqual([true, true, true, false])
    const query = { view: 'skeleton', cursor: all[0]!.nextCursor! }
    const known = { 'if-none-match': `"v${all[0]!.version}.${session.epoch}"` }
    expect((await read(server, 'getTree', { sessionId: session.id }, query, known)).status).toBe(200)
  })

  test('a cursor is refused when it is none, of another list or another session, and expires', async () => {
    await using session = await talk(server, 'u1', 'a1', 'u2')
    await using other = await talk(server, 'u1', 'a1', 'u2')
    const { nextCursor } = await full(session.id, { limit: 1 })
    const parts = JSON.parse(Buffer.from(nextCursor!, 'base64url').toString()) as unknown[]
    const made = (...change: unknown[]) =>
      Buffer.from(JSON.stringify(parts.with(...(change as [number, unknown])))).toString('base64url')
    const bad = ['x', '!', Buffer.from('{}').toString('base64url'), Buffer.from('null').toString('base64url')]
    bad.push(
      made(0, 'trunk'),
      made(1, 7),
      made(2, 99),
      made(2, -1),
      made(3, 1.5),
      made(3, 99),
      made(4, '0'),
      made(5, null),
    )
    for (const cursor of bad) {
      expect([cursor, await refusal(server, 'getTree', { sessionId: session.id }, { cursor })]).toEqual([
        cursor,
        '400 bad_request',
      ])
    }
    const old = made(5, Date.now() - 16 * 60_000)
    expect(await refusal(server, 'getTree', { sessionId: session.id }, { cursor: old })).toBe('410 cursor_expired')
    expect(await refusal(server, 'getTree', { sessionId: other.id }, { cursor: nextCursor! })).toBe(
      '410 cursor_expired',
    )
  })
})

test('an answer stays within its bytes: pages end earlier, drawings and messages are cut, comparing is refused', async () => {
  await using small = await startTestServer({ limits: { treeBytes: 3_500 } })
  await using session = await talk(small, 'r1')
  const { id: sessionId } = session
  for (const id of ['u1', 'u2', 'u3']) await session.append(user('x'.repeat(2_000), id), { parentId: 'r1' })
  await session.append(user('x'.repeat(2_000), 'u4'), { parentId: 'u3' })
  const ids: string[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await read(small, 'getTree', { sessionId }, cursor === '' ? {} : { cursor })
    const page = body as ChatHistoryTree
    ids.push(Object.keys(page.nodes))
    cursor = page.nextCursor
  }
  expect(ids).toEqual([['r1', 'u1'], ['u2'], ['u3'], ['u4']])
  const trunk = (await read(small, 'getTree', { sessionId }, { view: 'trunk' })).body
  expect(trunk).toMatchObject({ items: [{ node: { id: 'u4' } }], before: expect.any(String) })
  const children = (await read(small, 'getChildren', { sessionId, nodeId: 'r1' })).body
  expect(children).toMatchObject({ nodes: [{ id: 'u1' }], nextCursor: expect.any(String) })
  expect(await refusal(small, 'compare', { sessionId }, { left: 'r1', right: 'u4' })).toBe('422 validation_failed')
  const context = (await read(small, 'getContext', { sessionId })).body
  expect(context.warnings).toMatchObject([{ code: 'content_cut' }])
  expect(JSON.stringify(context.messages).length).toBeLessThan(4_000)
})

describe('as it was', () => {
  test('after an event, in every view, whatever was done since', async () => {
    await using session = await talk(server, 'u1', 'a1', 'u2<u1')
    const { id: sessionId } = session
    const before = session.seq
    const then = {
      full: await full(sessionId),
      columns: await read(server, 'getTree', { sessionId }, { view: 'columns' }),
    }
    const idMap = { u1: 'c1', a1: 'c2' }
    await session.edit({ operations: [{ op: 'prune', nodeId: 'u2', include: 'self' }] })
    await session.edit({ operations: [{ op: 'graft', sourceId: 'a1', targetId: null, mode: 'copy', idMap }] })
    const withCopy = session.seq
    await session.undo()
    await session.rename('Later')
    await session.append(user('later', 'u9'))
    expect(await full(sessionId, { atSeq: before })).toEqual(then.full)
    const columns = await read(server, 'getTree', { sessionId }, { view: 'columns', atSeq: before })
    expect(columns.body).toEqual(then.columns.body)
    expect(columns.etag).toBe(`"v${before}.${session.epoch}"`)
    expect((await full(sessionId, { atSeq: withCopy })).nodes.c2).toMatchObject({ content: 'says a1', parentId: null })
    expect((await read(server, 'getTree', { sessionId }, { view: 'trunk', atSeq: before })).body).toMatchObject({
      activeLeafId: 'u2',
      items: [{ node: { id: 'u1' } }, { node: { id: 'u2' } }],
    })
    expect(idsOf(await pages(sessionId, { atSeq: before, limit: 2 }))).toEqual([['u1', 'a1'], ['u2']])
    expect(await full(sessionId, { atSeq: 1 })).toMatchObject({ version: 1, nodes: {} })
    const known = { 'if-none-match': `"v${before}.${session.epoch}"` }
    expect((await read(server, 'getTree', { sessionId }, { atSeq: before }, known)).status).toBe(304)
    for (const atSeq of [0, session.seq + 1, 1e12]) {
      expect(await refusal(server, 'getTree', { sessionId }, { atSeq })).toBe('400 bad_request')
    }
    expect(session.seq).toBe(withCopy + 3)
  })
})

describe('what is refused', () => {
  test('an unknown session, a mixture of views and pages, and pages that are too large', async () => {
    await using session = await talk(server, 'u1')
    const { id: sessionId } = session
    expect(await refusal(server, 'getTree', { sessionId: 'nobody' })).toBe('404 session_not_found')
    for (const query of [
      { view: 'columns', limit: 1 },
      { view: 'columns', cursor: 'x' },
      { stream: 1 },
      { view: 'skeleton', stream: 1, limit: 5 },
      { include: 'fragments,everything' },
    ]) {
      expect([query, await refusal(server, 'getTree', { sessionId }, query)]).toEqual([query, '400 bad_request'])
    }
    for (const query of [{ view: 'all' }, { limit: 0 }, { limit: 5_001 }, { atSeq: -1 }, { atSeq: 'x' }, { what: 1 }]) {
      expect(await refusal(server, 'getTree', { sessionId }, query as Query)).toBe('400 validation_failed')
    }
    expect(await refusal(server, 'getTree', { sessionId }, { limit: 4 })).toBe('422 validation_failed')
  })
})
