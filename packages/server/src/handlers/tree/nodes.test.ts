import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import { assistant, generation, user } from '../../wire/testing/sample-session.ts'
import { read, refusal, talk } from './testing/read.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

describe('nodes', () => {
  test('one is read whole, or not again by whoever has it', async () => {
    await using session = await talk(server, 'u1', 'a1')
    const path = { sessionId: session.id, nodeId: 'a1' }
    const { body, etag } = await read(server, 'getNode', path)
    expect(body).toMatchObject({ id: 'a1', parentId: 'u1', content: 'says a1', metadata: { finishReason: 'stop' } })
    expect((await read(server, 'getNode', path, {}, { 'if-none-match': etag! })).status).toBe(304)
  })

  test('some are read in the order asked for, and those that are not there are left out', async () => {
    await using session = await talk(server, 'u1', 'a1', 'u2<u1', 'a2<u1')
    const { id: sessionId } = session
    await session.edit({ operations: [{ op: 'prune', nodeId: 'u2', include: 'self' }] })
    await session.edit({ operations: [{ op: 'delete', nodeIds: ['a2'] }] })
    const ids = 'a1,nobody,u2,u1,a1,a2'
    const { body } = await read(server, 'getNodes', { sessionId }, { ids })
    expect(body).toMatchObject({
      version: session.seq,
      nodes: [{ id: 'a1' }, { id: 'u2' }, { id: 'u1', content: 'says u1' }],
    })
    const skeleton = await read(server, 'getNodes', { sessionId }, { ids, view: 'skeleton' })
    expect(skeleton.body).toMatchObject({ nodes: [{ preview: 'says a1' }, { preview: 'says u2' }, { childCount: 1 }] })
    expect((await read(server, 'getNodes', { sessionId }, { ids: ',' })).body).toMatchObject({ nodes: [] })
    const many = Array.from({ length: 201 }, (_, i) => `n${i}`).join(',')
    expect(await refusal(server, 'getNodes', { sessionId }, { ids: many })).toBe('400 validation_failed')
  })

  test('what is no node of the session is not found: an unknown id, an edit, a deleted node, another session', async () => {
    await using session = await talk(server, 'u1', 'a1', 'u2')
    const { id: sessionId } = session
    const { entry } = await session.edit({ operations: [{ op: 'mute', nodeIds: ['u1'] }] })
    await session.edit({ operations: [{ op: 'delete', nodeIds: ['a1'] }] })
    for (const nodeId of ['nobody', entry!.id, 'a1', 'u2']) {
      for (const name of ['getNode', 'getContent', 'getChildren'] as const) {
        expect(await refusal(server, name, { sessionId, nodeId })).toBe('404 node_not_found')
      }
      expect(await refusal(server, 'compare', { sessionId }, { left: 'u1', right: nodeId })).toBe('404 node_not_found')
      expect(await refusal(server, 'getContext', { sessionId }, { leafId: nodeId })).toBe('404 node_not_found')
    }
    expect(await refusal(server, 'getContext', { sessionId }, { mute: `u1,${entry!.id}` })).toBe('404 node_not_found')
    expect(await refusal(server, 'getContext', { sessionId }, { unmute: 'nobody' })).toBe('404 node_not_found')
    for (const name of ['getBranches', 'getTreeText', 'getStash', 'getContext'] as const) {
      expect(await refusal(server, name, { sessionId: 'nobody' })).toBe('404 session_not_found')
    }
    expect(await refusal(server, 'getNode', { sessionId, nodeId: '../secret' })).toBe('400 validation_failed')
  })

  test('children come in order, in pages that hold while others are moved and added', async () => {
    await using session = await talk(server, 'u1', 'a1<u1', 'b1<u1', 'c1<u1', 'd1<u1', 'e1<u1')
    const path = { sessionId: session.id, nodeId: 'u1' }
    const page = async (query: Record<string, string | number>) => {
      const { body } = await read(server, 'getChildren', path, query)
      return { ids: body.nodes.map(({ id }) => id), next: body.nextCursor, version: body.version }
    }
    expect(await page({})).toEqual({ ids: ['a1', 'b1', 'c1', 'd1', 'e1'], next: null, version: session.seq })
    const first = await page({ limit: 2 })
    expect(first.ids).toEqual(['a1', 'b1'])
    await session.append(user('later', 'f1'), { parentId: 'u1' })
    await session.edit({ operations: [{ op: 'delete', nodeIds: ['a1'] }] })
    const second = await page({ limit: 2, cursor: first.next! })
    expect(second).toMatchObject({ ids: ['c1', 'd1'], version: first.version })
    await session.edit({ operations: [{ op: 'prune', nodeId: 'd1', include: 'self' }] })
    // The one it ended with is elsewhere: rather some twice than one never.
    expect(await page({ limit: 5, cursor: second.next! })).toMatchObject({ ids: ['b1', 'c1', 'e1'], next: null })
    expect(await refusal(server, 'getChildren', path, { cursor: 'bm8' })).toBe('400 bad_request')
  })
})

describe('what a node says', () => {
  test('is read from a place on, no character split', async () => {
    await using session = await talk(server)
    await session.append(user('ab🙂cd', 'u1'))
    const path = { sessionId: session.id, nodeId: 'u1' }
    const from = async (at: number) => (await read(server, 'getContent', path, { from: at })).body
    expect(await from(0)).toEqual({ id: 'u1', from: 0, content: 'ab🙂cd', contentLength: 6, status: 'complete' })
    expect(await from(4)).toMatchObject({ from: 4, content: 'cd' })
    expect(await from(3)).toMatchObject({ from: 2, content: '🙂cd' })
    expect(await from(99)).toMatchObject({ from: 6, content: '', contentLength: 6 })
  })

  test('is whole where the log is too short for it', async () => {
    await using session = await talk(server)
    const long = 'lorem ipsum '.repeat(60_000)
    await session.append(user(long, 'u1'))
    const path = { sessionId: session.id, nodeId: 'u1' }
    expect((await read(server, 'getNode', path)).body).toMatchObject({ contentTruncated: true })
    expect((await read(server, 'getContent', path)).body).toMatchObject({ content: long, contentLength: long.length })
  })

  test('is what there is so far while it is being generated, here or by another process, and then all of it', async () => {
    await using session = await talk(server, 'u1')
    const path = { sessionId: session.id, nodeId: 'a1' }
    await read(server, 'getTree', { sessionId: session.id })
    await session.append(generation('a1'))
    const content = async (from = 0) => (await read(server, 'getContent', path, { from })).body
    expect(await content()).toMatchObject({ content: '', status: 'generating' })
    const writer = session.partials!.open('a1')
    await writer.append(
      JSON.stringify({
        at: 1,
        pieces: [
          ['thinking', 0, 'hm'],
          ['text', 1, 'Half '],
        ],
      }),
    )
    await writer.append(JSON.stringify({ at: 2, pieces: [['text', 1, 'of it']] }))
    await writer.close()
    expect(await content()).toMatchObject({ content: 'Half of it', contentLength: 10, status: 'generating' })
    await server.server.services.hub.use(session.id, async (live) => {
      live.openText('a1')
      live.texts.add('a1', 'text', 'Half of it and more')
    })
    expect(await content(8)).toMatchObject({ content: 'it and more', status: 'generating' })
    expect((await read(server, 'getNode', path)).body).toMatchObject({ status: 'generating', content: '' })
    await session.append(assistant('Half of it and more, done.', { id: 'a1' }))
    expect(await content(19)).toMatchObject({ content: ', done.', status: 'complete' })
  })
})

describe('branches, the stash and drawings', () => {
  test('branches tell where they end, in the order of the tree', async () => {
    await using session = await talk(server, 'u1', 'a1', 'u2<u1', 'a2', 'u3<u1')
    await session.setLabel('a2', 'second')
    await session.edit({ operations: [{ op: 'prune', nodeId: 'u3', include: 'self' }] })
    const { body, etag } = await read(server, 'getBranches', { sessionId: session.id })
    expect(body).toMatchObject([
      { leafId: 'a1', length: 2, preview: 'says a1', isTrunk: false, labels: [], status: 'complete' },
      { leafId: 'a2', length: 3, labels: ['second'] },
    ])
    expect(etag).toBe(`"v${session.seq}.${session.epoch}"`)
  })

  test('T40 the stash tells what was pruned, from where, and how much it is', async () => {
    await using session = await talk(server, 'u1', 'a1', 'u2')
    expect((await read(server, 'getStash', { sessionId: session.id })).body).toEqual({
      version: session.seq,
      fragments: [],
    })
    await session.edit({ operations: [{ op: 'prune', nodeId: 'u1' }] })
    const { body } = await read(server, 'getStash', { sessionId: session.id })
    expect(body).toMatchObject({
      version: session.seq,
      fragments: [{ fragmentId: 'a1', fromParentId: 'u1', nodeCount: 2, leafCount: 1, preview: 'says a1' }],
    })
  })

  test('P22 P26 the tree is drawn by types or by ids, each node on one line', async () => {
    await using session = await talk(server, 'u1', 'a1', 'u2<u1')
    await session.append(user('two\nlines', 'u3'))
    const { id: sessionId } = session
    expect((await read(server, 'getTreeText', { sessionId })).body).toBe(
      '└── [user] says u1\n    ├── [assistant] says a1\n    └── [user] says u2\n        └── [user] two lines\n',
    )
    expect((await read(server, 'getTreeText', { sessionId }, { style: 'ids' })).body).toBe(
      'root\n└── u1: says u1\n    ├── a1: says a1\n    └── u2: says u2\n        └── u3: two lines\n',
    )
  })
})

test('I3 a damaged line costs what it says and nothing else, in every answer', async () => {
  const session = await talk(server, 'u1', 'a1', 'u2')
  const { id: sessionId, path } = session
  await session.close()
  writeFileSync(path, readFileSync(path, 'utf8').replace('says a1', 'says"a1'))
  const { body } = await read(server, 'getTree', { sessionId })
  expect(body).toMatchObject({
    nodes: {
      u1: { content: 'says u1', childrenIds: ['a1'] },
      a1: { content: '', status: 'error', metadata: { error: 'The stored bytes of this node are damaged.' } },
      u2: { content: 'says u2', parentId: 'a1' },
    },
  })
  expect((await read(server, 'getContent', { sessionId, nodeId: 'a1' })).body).toMatchObject({
    content: '',
    status: 'error',
  })
  expect((await read(server, 'getTree', { sessionId }, { view: 'trunk' })).body).toMatchObject({
    items: [{ node: { id: 'u1' } }, { node: { status: 'error' } }, { node: { id: 'u2' } }],
  })
  expect((await read(server, 'getTreeText', { sessionId })).body).toContain('[assistant]')
  expect((await read(server, 'compare', { sessionId }, { left: 'u1', right: 'u2' })).body).toMatchObject({
    commonAncestorId: 'u1',
    right: [{ id: 'a1', status: 'error' }, { id: 'u2' }],
  })
  const context = await read(server, 'getContext', { sessionId })
  expect(context.body).toMatchObject({ excluded: [{ nodeId: 'a1', reason: 'error' }] })
})
