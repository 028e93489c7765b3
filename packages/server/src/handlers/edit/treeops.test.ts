import { editRequestSchema, routes } from '@treeline/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'
import type { Observed } from '../../wire/testing/observe.ts'
import { generation } from '../../wire/testing/sample-session.ts'
import { hasVectors, readVectors, SKIPPED, type VectorTree } from '../../wire/testing/shared-vectors.ts'
import { readStored, refused, sendEdit } from './testing/edit-session.ts'
import { readTree } from './testing/read-tree.ts'

describe.skipIf(!hasVectors)(`the edit vectors of the API, over HTTP${hasVectors ? '' : ` (${SKIPPED})`}`, () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test.each(readVectors().map((vector) => [vector.name, vector] as const))('%s', async (_name, vector) => {
    const { request, expected } = vector
    const sessionId = await build(server, vector.initial)
    const { operations, baseVersion } = editRequestSchema.parse(request)
    const before = await readTree(server, sessionId)
    // Somebody else changes something the request is not about.
    await inSession(server, sessionId, { op: 'session', patch: { starred: true } })
    const extra = baseVersion === undefined ? {} : { baseVersion: before.version }
    if (expected.tree === undefined) {
      const problem = await refused(sendEdit(server, sessionId, operations, extra))
      expect(problem).toMatchObject({ status: expected.status, code: expected.code })
      for (const id of expected.nodeIds) expect(problem.detail).toContain(id)
      expect({ ...(await readTree(server, sessionId)), version: before.version }).toEqual(before)
      return
    }
    const { activeLeafId, warnings, deletedIds } = await sendEdit(server, sessionId, operations, extra)
    const after = await readTree(server, sessionId)
    expect(shown(after, expected.tree)).toEqual(wanted(expected.tree))
    expect(await readStored(server, sessionId)).toEqual({ ...after, version: undefined })
    expect(activeLeafId).toBe(after.activeLeafId)
    expect(deletedIds.sort()).toEqual([...expected.tree.deleted].sort())
    expect(await readContext(server, sessionId)).toEqual(expected.context)
    const isAsked = operations.some(({ op }) => op === 'setActiveLeaf')
    const isMoved = warnings.some(({ code }) => code === 'active_leaf_moved')
    expect(isMoved).toBe(expected.activeLeafMoved && !isAsked)
  })
})

async function build(server: TestServer, initial: VectorTree): Promise<string> {
  await using made = await server.store.create({ cwd: server.home.paths.home })
  // By the session that the server has open: what it finds unfinished when it opens one was interrupted.
  await server.server.services.hub.use(made.id, async ({ session }) => {
    for (const { id, parentId, role, status } of Object.values(initial.nodes)) {
      const content = role === 'assistant' ? [{ type: 'text', text: id }] : id
      const message = { type: 'message', id, message: { role, content, timestamp: 1 } }
      await session.append(status === 'generating' ? generation(id) : message, { parentId })
    }
    const muted = Object.values(initial.nodes).filter(({ isEnabled }) => !isEnabled)
    if (muted.length > 0) await session.edit({ operations: [{ op: 'mute', nodeIds: muted.map(({ id }) => id) }] })
    await session.edit({ operations: [{ op: 'leaf', leafId: initial.activeLeafId }] })
  })
  return made.id
}

async function inSession(server: TestServer, sessionId: string, op: { op: 'session'; patch: object }): Promise<void> {
  await using session = await server.store.open(sessionId)
  await session.edit({ operations: [{ ...op, patch: { ...op.patch } }] })
}

/** The nodes that the model would be told of. */
async function readContext({ call }: TestServer, sessionId: string): Promise<string[]> {
  const { messages } = await call(routes.getContext, { params: { sessionId } })
  return messages.flatMap(({ nodeId, nodeIds }) => nodeIds ?? nodeId ?? [])
}

function shown(tree: Observed, expected: VectorTree): unknown {
  // The vectors call a copy whose id nobody chose by that of its original, with a stroke.
  const nameOf = (id: string) => (id in expected.nodes ? id : `${tree.nodes[id]?.metadata?.copiedFrom}'`)
  const nodes = Object.values(tree.nodes).map(({ id, parentId, childrenIds, isEnabled, role, status }) => [
    nameOf(id),
    { parentId: parentId && nameOf(parentId), children: childrenIds.map(nameOf), isEnabled, role, status },
  ])
  const { roots, fragments, activeLeafId } = tree
  return { nodes: Object.fromEntries(nodes), roots: roots.map(nameOf), fragments, activeLeafId }
}

function wanted({ nodes, roots, fragments, activeLeafId }: VectorTree): unknown {
  const shape = Object.values(nodes).map(({ id, parentId, children, isEnabled, role, status }) => [
    id,
    { parentId, children, isEnabled, role, status },
  ])
  const cut = fragments.map((one) => [one.root, one.fromParentId, one.fromIndex])
  return { nodes: Object.fromEntries(shape), roots, fragments: cut, activeLeafId }
}
