import { listBranches, listFragments, preview } from '@treeline/core'
import { branchSchema, fragmentSchema, historyTreeSchema } from '@treeline/protocol'
import { expect, test } from 'vitest'
import { listNodes } from './list-nodes.ts'
import { assistant, generation, openSample, user } from './testing/sample-session.ts'
import { toBranch } from './to-branch.ts'
import { fragmentRoots, toFragments } from './to-fragment.ts'
import { toNode } from './to-node.ts'
import { toTreeHead } from './tree-head.ts'
import { withBodies } from './with-bodies.ts'

test('an empty session is an empty tree', async () => {
  await using sample = await openSample()
  const { session } = sample
  const tree = { ...toTreeHead(session, { fragments: [], nextCursor: null }), nodes: {} }
  expect(historyTreeSchema.safeParse(tree)).toMatchObject({ success: true })
  expect(tree).toMatchObject({
    sessionId: session.id,
    version: 1,
    title: 'Sample',
    mode: 'tree',
    rootNodeIds: [],
    rootNodeId: null,
    activeLeafId: null,
    createdAt: session.header.timestamp,
    updatedAt: session.header.timestamp,
    generating: [],
  })
})

test('a whole tree holds together: every node under its parent, the stash beside it, what is generated named', async () => {
  await using sample = await openSample('u1', 'a1', 'u2', 'a2')
  const { session } = sample
  await session.append(user('second root', 'u3'), { parentId: null })
  await session.append(generation('a3'))
  await session.edit({ operations: [{ op: 'prune', nodeId: 'a1' }] })
  await session.edit({ operations: [{ op: 'meta', nodeId: 'u2', patch: { stashTitle: 'later' } }] })
  await session.edit({
    operations: [
      { op: 'session', patch: { mode: 'linear' } },
      { op: 'name', name: 'Renamed' },
    ],
  })
  await session.append({ type: 'model_change', provider: 'p', modelId: 'm' }, { parentId: 'a1' })
  const whole = await withBodies(
    session,
    (tree) => [...listNodes(tree)].map((ref) => tree.ids.textOf(ref)),
    (tree, bodyOf) => {
      const nodes = [...listNodes(tree)].map((ref) => toNode(tree, ref, bodyOf(tree.ids.textOf(ref))))
      return {
        ...toTreeHead(session, { fragments: toFragments(tree, bodyOf), nextCursor: null }),
        nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
      }
    },
  )
  expect(historyTreeSchema.safeParse(whole)).toMatchObject({ success: true })
  expect(whole).toMatchObject({
    version: session.seq,
    title: 'Renamed',
    mode: 'linear',
    rootNodeIds: ['u1', 'u3'],
    rootNodeId: 'u1',
    activeLeafId: 'a1',
    generating: [{ nodeId: 'a3', generationId: 'g-a3' }],
    fragments: [{ fragmentId: 'u2', rootId: 'u2', nodeCount: 2, leafCount: 1, title: 'later', preview: 'says u2' }],
  })
  for (const node of Object.values(whole.nodes)) {
    for (const child of node.childrenIds) expect(whole.nodes[child]!.parentId).toBe(node.id)
    if (node.parentId !== null) expect(whole.nodes[node.parentId]!.childrenIds).toContain(node.id)
  }
})

test('a fragment says where it came from, and reads no body but that of its top', async () => {
  await using sample = await openSample('u1', 'a1', 'u2', 'a2')
  const { session } = sample
  const { entry } = await session.edit({ operations: [{ op: 'prune', nodeId: 'u2', include: 'self' }] })
  expect(fragmentRoots(session.tree)).toEqual(['u2'])
  const fragments = await withBodies(session, fragmentRoots, toFragments)
  for (const fragment of fragments) expect(fragmentSchema.safeParse(fragment)).toMatchObject({ success: true })
  const [{ title: _, ...core }] = listFragments(session.tree) as [ReturnType<typeof listFragments>[number]]
  expect(fragments).toEqual([{ ...core, rootId: 'u2', preview: 'says u2' }])
  expect(fragments[0]).toMatchObject({ fromParentId: 'a1', fromIndex: 0, opId: entry!.id })
})

test('a branch is known by the start of its last message, and says how that ended', async () => {
  await using sample = await openSample('u1', 'a1')
  const { session } = sample
  const long = 'word '.repeat(50)
  await session.append(assistant(long, { id: 'a2', stopReason: 'error', errorMessage: 'x' }), { parentId: 'u1' })
  await session.setLabel('a1', 'good')
  const leaf = session.tree.ids.find('a2')
  const branches = await withBodies(
    session,
    (tree) => listBranches(tree, leaf).map(({ leafId }) => leafId),
    (tree, bodyOf) => listBranches(tree, leaf).map((branch) => toBranch(tree, branch, bodyOf(branch.leafId))),
  )
  for (const branch of branches) expect(branchSchema.safeParse(branch)).toMatchObject({ success: true })
  expect(branches).toMatchObject([
    { leafId: 'a1', length: 2, preview: 'says a1', isTrunk: false, labels: ['good'], status: 'complete' },
    { leafId: 'a2', length: 2, preview: preview(long, 50), isTrunk: true, labels: [], status: 'error' },
  ])
})
