import { expect, test } from 'vitest'
import { createForest } from '../layout/forest.ts'
import { layOut } from '../layout/lay-out.ts'
import { LayoutFeed, viewWith } from './layout-feed.ts'
import { event, grow, node } from './testing/model.ts'

test('what comes at the end is told alone, and so is a flag or the leaf', () => {
  const tree = grow({ a: null, b: 'a', c: 'a' }, 'b')
  const feed = new LayoutFeed()
  expect(feed.changesOf(tree)?.tree?.parent).toEqual(Int32Array.of(-1, 0, 0))
  expect(feed.changesOf(tree)).toBeUndefined()
  tree.apply(event({ type: 'node.created', node: node('d', 'b') }))
  tree.apply(event({ type: 'active_leaf.updated', activeLeafId: 'd', previous: 'b', reason: 'send' }))
  tree.setEnabled('c', false)
  const changes = feed.changesOf(tree)
  expect(changes).toMatchObject({ added: { from: 3 }, leaf: 3 })
  expect(changes?.added?.parent).toEqual(Int32Array.of(1))
  expect(changes?.changed?.places).toEqual(Int32Array.of(2))
  expect(changes?.tree).toBeUndefined()
})

test('after an edit that moves nodes all is told, with siblings in their order', () => {
  const tree = grow({ a: null, b: 'a', c: 'a' }, 'b')
  const feed = new LayoutFeed()
  feed.changesOf(tree)
  tree.apply(event({ type: 'tree.reordered', parentId: 'a', childrenIds: ['c', 'b'] }))
  expect(feed.changesOf(tree)?.tree?.orders).toEqual(Int32Array.of(0, 2, 2, 1))
})

test('a deleted branch stands nowhere and keeps its places; restored it is back', () => {
  const tree = grow({ a: null, b: 'a', c: 'b', d: 'a' }, 'd')
  const feed = new LayoutFeed()
  feed.changesOf(tree)
  tree.apply(event({ type: 'nodes.deleted', ids: ['b'], how: 'subtree' }))
  const after = feed.changesOf(tree)
  const { boxes } = layOut(createForest(after!.tree!), viewWith(new Uint8Array(0)))
  expect([...boxes.boxOf].map((box) => box >= 0)).toEqual([true, false, false, true])
  tree.apply(event({ type: 'nodes.restored', nodes: [node('b', 'a', ['c']), node('c', 'b')] }))
  expect(feed.changesOf(tree)?.tree?.parent).toEqual(Int32Array.of(-1, 0, 1, 0))
})
