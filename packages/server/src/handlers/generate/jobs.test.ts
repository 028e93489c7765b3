import type { ChatMessageNode } from '@treeline/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { watchSession } from '../../testing/watch-session.ts'
import { startTalkServer, type TalkServer } from './testing/talk-server.ts'

let server: TalkServer
beforeAll(async () => {
  server = await startTalkServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** A line of four: `u1`, `a1`, `u2`, `a2`. */
async function talked(first = 'Plums'): Promise<string> {
  const sid = await server.newSession()
  const say = (parentId: string | null, nodeId: string, content: string) =>
    server.post(`${sid}/message`, { parentId, nodeId, content, generate: { nodeId: `a${nodeId.slice(1)}` } })
  using watched = await watchSession(server.test.server, sid)
  await say(null, 'u1', first)
  await watched.until('node.completed', ({ node }) => node.id === 'a1')
  await say('a1', 'u2', 'Pears')
  await watched.until('node.completed', ({ node }) => node.id === 'a2')
  return sid
}

const treeOf = (sid: string) => server.get(`${sid}/tree`)
const mutedOf = (nodes: Readonly<Record<string, ChatMessageNode>>) =>
  Object.values(nodes).flatMap(({ id, isEnabled }) => (isEnabled ? [] : [id]))

describe('summing up', () => {
  test('T17 at the end: the summary is the leaf, names what it stands for, and mutes it; one undo takes all back', async () => {
    const sid = await talked()
    using watched = await watchSession(server.test.server, sid)
    const begun = await server.post(`${sid}/summarize`, { range: { fromId: 'u1', toId: 'a1' } })
    expect(begun).toMatchObject({ status: 202, body: { version: expect.any(Number) } })
    const { node, cause } = await watched.until('node.created')
    expect(node).toMatchObject({ parentId: 'a2', role: 'system', status: 'complete' })
    expect(node.metadata).toMatchObject({ summarizedFrom: ['u1', 'a1'] })
    expect(cause).toMatchObject({ actor: 'test' })
    await watched.until('nodes.state.updated')
    const tree = await treeOf(sid)
    expect(tree.activeLeafId).toBe(node.id)
    expect(mutedOf(tree.nodes).toSorted()).toEqual(['a1', 'u1'])
    expect(server.asked.at(-1)).toContain('Plums')

    expect((await server.post(`${sid}/undo`, {})).status).toBe(200)
    const before = await treeOf(sid)
    expect(mutedOf(before.nodes)).toEqual([])
    expect(before.activeLeafId).toBe('a2')
    expect(before.nodes[node.id]).toBeUndefined()
  })

  test('inline: it stands behind what it sums up and above what follows; undone, all is as it was', async () => {
    const sid = await talked()
    using watched = await watchSession(server.test.server, sid)
    await server.post(`${sid}/summarize`, { nodeIds: ['a1', 'u1'], placement: 'inline' })
    const { node } = await watched.until('node.created')
    await watched.until('nodes.state.updated')
    const { nodes, activeLeafId } = await treeOf(sid)
    expect(node.parentId).toBe('a1')
    expect(nodes.a1!.childrenIds).toEqual([node.id])
    expect(nodes[node.id]!.childrenIds).toEqual(['u2'])
    expect(activeLeafId).toBe('a2')
    await server.post(`${sid}/undo`, {})
    expect((await treeOf(sid)).nodes.a1!.childrenIds).toEqual(['u2'])
  })

  test('T17 that fails mutes nothing, and everybody is told', async () => {
    const sid = await talked()
    using watched = await watchSession(server.test.server, sid)
    const before = await treeOf(sid)
    const begun = await server.post(`${sid}/summarize`, { nodeIds: ['u1'], instructions: 'Now fail please' })
    expect(begun.status).toBe(202)
    const failed = await watched.until('job.failed')
    expect(failed).toMatchObject({ job: 'summarize', problem: { code: 'provider_error', retryable: true } })
    const after = await treeOf(sid)
    expect(mutedOf(after.nodes)).toEqual([])
    expect(Object.keys(after.nodes)).toEqual(Object.keys(before.nodes))
    expect(after.activeLeafId).toBe(before.activeLeafId)
    expect(JSON.stringify(server.test.logged)).not.toContain('Plums')
  })

  test.each([
    [{}, 400, 'bad_request'],
    [{ nodeIds: ['u1'], range: { fromId: 'u1', toId: 'a1' } }, 400, 'bad_request'],
    [{ nodeIds: ['nobody'] }, 404, 'node_not_found'],
    [{ range: { fromId: 'a2', toId: 'u1' } }, 422, 'validation_failed'],
    [{ nodeIds: ['u1'], model: 'nobody/none' }, 422, 'validation_failed'],
  ])('what cannot be is refused at once: %j', async (body, status, code) => {
    const sid = await talked()
    expect(await server.post(`${sid}/summarize`, body)).toMatchObject({ status, body: { code } })
  })
})

test('T41 branches are merged under what they share; what cannot be is refused at once', async () => {
  const sid = await talked()
  using watched = await watchSession(server.test.server, sid)
  await server.post(`${sid}/message`, { parentId: 'a1', nodeId: 'u3', content: 'Figs', generate: false })
  const merged = await server.post(`${sid}/merge`, { leafIds: ['a2', 'u3'], strategy: 'concat' })
  expect(merged.status).toBe(202)
  const { node } = await watched.until('node.created', (event) => event.node.metadata?.kind === 'merge')
  expect(node).toMatchObject({ parentId: 'a1', metadata: { mergedFrom: ['a2', 'u3'] } })
  expect(node.content).toContain('Figs')
  const synthesized = await server.post(`${sid}/merge`, { leafIds: ['a2', 'u3'], strategy: 'synthesize' })
  expect(synthesized.status).toBe(202)
  const answer = await watched.until('node.created', (event) => event.node.content.includes('of course'))
  expect(answer.cause).toMatchObject({ actor: 'test' })
  const lone = await server.post(`${sid}/merge`, { leafIds: ['a2', 'a2'], strategy: 'concat' })
  expect(lone).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
})

test('the beginning of the trunk is summed up, and where there is nothing to sum up that is said', async () => {
  const sid = await talked(`Plums ${'and more plums '.repeat(6_000)}`)
  using watched = await watchSession(server.test.server, sid)
  expect((await server.post(`${sid}/compact`, { instructions: 'Mind the plums' })).status).toBe(202)
  const { node, cause } = await watched.until('node.created')
  expect(node).toMatchObject({ parentId: 'a2', metadata: { kind: 'compaction' } })
  expect(cause).toMatchObject({ actor: 'test' })
  const empty = await server.newSession()
  expect(await server.post(`${empty}/compact`, {})).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
})
