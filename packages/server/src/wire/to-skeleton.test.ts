import { skeletonNodeSchema } from '@treeline/protocol'
import { expect, test } from 'vitest'
import { listNodes, nodeAtPlace, placeOfNode } from './list-nodes.ts'
import { assistant, generation, openSample, user } from './testing/sample-session.ts'
import { toSkeleton } from './to-skeleton.ts'
import { withBodies } from './with-bodies.ts'

test('a skeleton has one line to know a node by, and not its content', async () => {
  await using sample = await openSample('u1')
  const { session } = sample
  await session.append(assistant(`${'👩‍👩‍👧'.repeat(100)}\n\nand more`, { id: 'a1' }))
  await session.append(user('next', 'u2'))
  await session.append(generation('a2'))
  await session.edit({ operations: [{ op: 'mute', nodeIds: ['a1'] }] })
  const nodes = await withBodies(
    session,
    () => ['a1', 'a2'],
    (tree, bodyOf) => ['a1', 'a2'].map((id) => toSkeleton(tree, tree.ids.find(id), bodyOf(id))),
  )
  for (const node of nodes) expect(skeletonNodeSchema.safeParse(node)).toMatchObject({ success: true })
  expect(nodes).toMatchObject([
    { parentId: 'u1', role: 'assistant', status: 'complete', isEnabled: false, childCount: 1, version: session.seq },
    { parentId: 'u2', role: 'assistant', status: 'generating', isEnabled: true, childCount: 0, preview: '' },
  ])
  expect(nodes[0]!.preview).toBe(`${'👩‍👩‍👧'.repeat(79)}…`)
})

test('nodes are listed as they came, each once, with copies where they were made and without what was deleted', async () => {
  await using sample = await openSample('u1')
  const { session } = sample
  await session.append(generation('a1'))
  await session.append(user('elsewhere', 'u2'), { parentId: null })
  await session.append(assistant('done', { id: 'a1' }))
  const idMap = { u1: 'c1', a1: 'c2' }
  await session.edit({ operations: [{ op: 'graft', sourceId: 'u1', targetId: 'u2', mode: 'copy', idMap }] })
  await session.append(user('last', 'u3'), { parentId: 'a1' })
  const { tree } = session
  const listed = (...rest: Parameters<typeof listNodes> extends [unknown, ...infer R] ? R : never) =>
    [...listNodes(tree, ...rest)].map((ref) => tree.ids.textOf(ref))
  expect(listed()).toEqual(['u1', 'a1', 'u2', 'c1', 'c2', 'u3'])
  const after = (id: string) => placeOfNode(tree, tree.ids.find(id))
  expect(listed({}, after('a1'))).toEqual(['u2', 'c1', 'c2', 'u3'])
  expect(listed({}, after('c1'))).toEqual(['c2', 'u3'])
  for (const id of listed()) expect(nodeAtPlace(tree, after(id)!)).toBe(tree.ids.find(id))
  expect(nodeAtPlace(tree, { ...after('c2')!, index: 2 })).toBeUndefined()
  await session.edit({
    operations: [
      { op: 'delete', nodeIds: ['a1'] },
      { op: 'prune', nodeId: 'c2', include: 'self' },
    ],
  })
  expect(listed()).toEqual(['u1', 'u2', 'c1', 'c2'])
  // What is left out keeps its place, so that a page goes on where the one before ended.
  expect(listed({}, after('a1'))).toEqual(['u2', 'c1', 'c2'])
  expect(listed({ fragments: false }, after('c1'))).toEqual([])
  expect(listed({ fragments: false })).toEqual(['u1', 'u2', 'c1'])
  expect(listed({ deleted: true })).toEqual(['u1', 'a1', 'u2', 'c1', 'c2', 'u3'])
})
