import { type EditPlan, TreelineError } from '@treeline/core'
import { type EditOp, editOpSchema, editRequestSchema, nodeSchema } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import { describe, expect, test } from 'vitest'
import { readEditOps } from './read-edit-op.ts'
import { observe, shapeOf } from './testing/observe.ts'
import { generation, openSample, type Sample, user } from './testing/sample-session.ts'
import { hasVectors, readVectors, SKIPPED, type VectorTree } from './testing/shared-vectors.ts'
import { toInverse } from './to-edit-op.ts'

function edit(session: Session, ...ops: readonly EditOp[]): Promise<EditPlan> {
  return session.edit({ operations: readEditOps(session.tree, ops).operations })
}

describe.skipIf(!hasVectors)(`the edit vectors of the API${hasVectors ? '' : ` (${SKIPPED})`}`, () => {
  test.each(readVectors().map((vector) => [vector.name, vector] as const))('%s', async (_name, vector) => {
    const { initial, request, expected } = vector
    await using sample = await build(initial)
    const { session } = sample
    const before = await observe(session)
    const { baseVersion, operations: asked } = editRequestSchema.parse(request)
    const { operations } = readEditOps(session.tree, asked)
    const lookedAt = session.seq
    // Somebody else changes something the request is not about.
    await session.edit({ operations: [{ op: 'session', patch: { starred: true } }] })
    const plan = () => session.edit({ operations, ...(baseVersion && { baseVersion: lookedAt }) })
    if (expected.tree === undefined) {
      const error = await plan().catch((problem: unknown) => problem)
      expect(error).toBeInstanceOf(TreelineError)
      const { code, status, details } = error as TreelineError
      expect({ code, status, nodeIds: details.nodeIds }).toEqual({
        code: expected.code,
        status: expected.status,
        nodeIds: expected.nodeIds,
      })
      expect(await observe(session)).toEqual(before)
      return
    }
    const { leafMoved } = await plan()
    const after = await observe(session)
    const nameOf = namesOf(after, expected.tree)
    for (const node of Object.values(after.nodes)) expect(nodeSchema.safeParse(node)).toMatchObject({ success: true })
    const shown = Object.values(after.nodes).map(({ id, parentId, childrenIds, isEnabled, role, status }) => [
      nameOf(id),
      { parentId: parentId && nameOf(parentId), children: childrenIds.map(nameOf), isEnabled, role, status },
    ])
    expect({ ...after, nodes: Object.fromEntries(shown), roots: after.roots.map(nameOf) }).toEqual({
      nodes: Object.fromEntries(
        Object.values(expected.tree.nodes).map(({ id, parentId, children, isEnabled, role, status }) => [
          id,
          { parentId, children, isEnabled, role, status },
        ]),
      ),
      roots: expected.tree.roots,
      fragments: expected.tree.fragments.map((one) => [one.root, one.fromParentId, one.fromIndex]),
      activeLeafId: expected.tree.activeLeafId,
    })
    expect(leafMoved).toBe(expected.activeLeafMoved)
  })
})

async function build(initial: VectorTree): Promise<Sample> {
  const sample = await openSample()
  const { session } = sample
  for (const { id, parentId, role, status } of Object.values(initial.nodes)) {
    if (status === 'generating') await session.append(generation(id), { parentId })
    else {
      const content = role === 'assistant' ? [{ type: 'text', text: id }] : id
      await session.append({ type: 'message', id, message: { role, content, timestamp: 1 } }, { parentId })
    }
  }
  const muted = Object.values(initial.nodes).filter(({ isEnabled }) => !isEnabled)
  if (muted.length > 0) await session.edit({ operations: [{ op: 'mute', nodeIds: muted.map(({ id }) => id) }] })
  await session.edit({ operations: [{ op: 'leaf', leafId: initial.activeLeafId }] })
  return sample
}

/** The vectors call a copy whose id nobody chose by that of its original, with a stroke. */
function namesOf({ nodes }: Awaited<ReturnType<typeof observe>>, expected: VectorTree): (id: string) => string {
  return (id) => (id in expected.nodes ? id : `${nodes[id]?.metadata?.copiedFrom}'`)
}

test('what is asked of a subtree or of all above a node reaches all of them', async () => {
  await using sample = await openSample('u1', 'a1', 'u2', 'a2')
  const { session } = sample
  await edit(session, { op: 'setEnabled', nodeIds: ['u2'], isEnabled: false, scope: 'subtree' })
  const { nodes } = await observe(session)
  expect(Object.values(nodes).map(({ isEnabled }) => isEnabled)).toEqual([true, true, false, false])
  await edit(
    session,
    { op: 'setEnabled', nodeIds: ['u2'], isEnabled: true },
    { op: 'setEnabled', nodeIds: ['a1'], isEnabled: false, scope: 'ancestors' },
  )
  const later = Object.values((await observe(session)).nodes)
  expect(later.map(({ isEnabled }) => isEnabled)).toEqual([false, false, true, false])
})

test('metadata is merged: a label, a rating, and the namespaces that are named', async () => {
  await using sample = await openSample('u1')
  const { session } = sample
  const metadata = async () => (await observe(session)).nodes.u1!.metadata
  const ext = { app: { x: 1 }, other: 2, treeline: { pinned: true } }
  await edit(session, { op: 'setMetadata', nodeId: 'u1', patch: { rating: 5, labels: ['start'], ext } })
  expect(await metadata()).toEqual({ rating: 5, labels: ['start'], ext })
  await edit(session, { op: 'setMetadata', nodeId: 'u1', patch: { labels: null, ext: { app: { y: 2 }, other: null } } })
  expect(await metadata()).toEqual({ rating: 5, ext: { app: { y: 2 }, treeline: { pinned: true } } })
  await edit(session, { op: 'setMetadata', nodeId: 'u1', patch: { rating: null, ext: null } })
  expect(await metadata()).toBeUndefined()
})

test('a client hears which of its own operations was refused, also when one of them became two', async () => {
  await using sample = await openSample('u1')
  const { tree } = sample.session
  const { operations, indexOf } = readEditOps(tree, [
    { op: 'setMetadata', nodeId: 'u1', patch: { rating: 1, labels: ['x'] } },
    { op: 'prune', nodeId: 'u1' },
  ])
  const error = await sample.session.edit({ operations }).catch((problem: unknown) => problem)
  expect(error).toMatchObject({ code: 'validation_failed', details: { opIndex: 2 } })
  expect(indexOf(2)).toBe(1)
})

test.each<[string, EditOp]>([
  ['ids for what is only moved', { op: 'graft', sourceId: 'u2', targetId: null, idMap: { u2: 'x' } }],
  ['an index between', { op: 'graft', sourceId: 'u2', targetId: 'u1', insertBetween: true, index: 1 }],
  ['between nothing', { op: 'graft', sourceId: 'u2', targetId: null, insertBetween: true }],
  ['a patch of nothing', { op: 'setMetadata', nodeId: 'u1', patch: {} }],
  [
    'values that are ours and wrong',
    { op: 'setMetadata', nodeId: 'u1', patch: { ext: { treeline: { pinned: 'yes' } } } },
  ],
  ['values of ours that we do not have', { op: 'setMetadata', nodeId: 'u1', patch: { ext: { treeline: { x: 1 } } } }],
  ['ours as no object', { op: 'setMetadata', nodeId: 'u1', patch: { ext: { treeline: 1 } } }],
])('%s is refused and changes nothing', async (_name, op) => {
  await using sample = await openSample('u1', 'a1', 'u2')
  const { session } = sample
  expect(editOpSchema.safeParse(op)).toMatchObject({ success: true })
  const before = await observe(session)
  const refused = await Promise.resolve()
    .then(() => edit(session, op))
    .catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'validation_failed' })
  expect(await observe(session)).toEqual(before)
})

test.each<[string, readonly EditOp[]]>([
  ['disabling', [{ op: 'setEnabled', nodeIds: ['u1'], isEnabled: false, scope: 'subtree' }]],
  ['pruning children', [{ op: 'prune', nodeId: 'a1' }]],
  ['pruning a node', [{ op: 'prune', nodeId: 'u2', include: 'self' }]],
  ['moving', [{ op: 'graft', sourceId: 'u2', targetId: 'u3', index: 0 }]],
  ['putting between', [{ op: 'graft', sourceId: 'u3', targetId: 'u2', insertBetween: true }]],
  ['copying', [{ op: 'graft', sourceId: 'u2', targetId: null, mode: 'copy' }]],
  ['deleting', [{ op: 'delete', nodeIds: ['u2'] }]],
  ['splicing out', [{ op: 'delete', nodeIds: ['a1'], how: 'splice' }]],
  ['reordering', [{ op: 'reorder', parentId: 'a1', childrenIds: ['u3', 'u2'] }]],
  ['going elsewhere', [{ op: 'setActiveLeaf', leafId: 'u1', resolve: 'exact' }]],
  ['telling about', [{ op: 'setMetadata', nodeId: 'u2', patch: { rating: 2, labels: ['x'], ext: { app: 2, b: 1 } } }]],
  ['pinning', [{ op: 'setMetadata', nodeId: 'u2', patch: { ext: { treeline: { pinned: true } } } }]],
  [
    'several at once',
    [
      { op: 'prune', nodeId: 'u2', include: 'self' },
      { op: 'setEnabled', nodeIds: ['u3'], isEnabled: false },
      { op: 'graft', sourceId: 'u2', targetId: 'u3' },
    ],
  ],
])('the inverse of %s, sent back, brings back what was', async (_name, ops) => {
  await using sample = await openSample('u1', 'a1', 'u2', 'a2')
  const { session } = sample
  await session.append(user('other', 'u3'), { parentId: 'a1' })
  await edit(session, { op: 'setMetadata', nodeId: 'u2', patch: { ext: { app: 1 } } })
  await edit(session, { op: 'setActiveLeaf', leafId: 'a2' })
  const before = shapeOf(await observe(session))
  const inverse = toInverse(await edit(session, ...ops))
  expect(shapeOf(await observe(session))).not.toEqual(before)
  await edit(session, ...inverse.map((op) => editOpSchema.parse(op)))
  expect(shapeOf(await observe(session))).toEqual(before)
})
