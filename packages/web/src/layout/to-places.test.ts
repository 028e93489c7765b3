import { expect, test } from 'vitest'
import { createForest, SLOT } from './forest.ts'
import { toPlaces, type WireTree } from './to-places.ts'

function wire(parent: number[], over: Partial<WireTree> = {}, reordered: Record<string, string[]> = {}): WireTree {
  const id = parent.map((_, i) => `n${i}`)
  const rootNodeIds = id.filter((_, i) => parent[i] === -1)
  const columns = { id, parent, flags: parent.map(() => 0), reordered }
  return { columns, rootNodeIds, activeLeafId: null, ...over }
}

/** Places of the children of a place, -1 for the roots, -2 for the stash. */
function childrenOf(tree: WireTree, place: number): number[] {
  const { firstChild, next } = createForest(toPlaces(tree))
  const children: number[] = []
  for (let slot = firstChild[place + SLOT]!; slot !== 0; slot = next[slot]!) children.push(slot - SLOT)
  return children
}

test('siblings stand as they came, or as the wire says they were put', () => {
  const parents = [-1, 0, 0, 0]
  expect(childrenOf(wire(parents), 0)).toEqual([1, 2, 3])
  expect(childrenOf(wire(parents, {}, { n0: ['n3', 'n1', 'n2'] }), 0)).toEqual([3, 1, 2])
})

test('roots and fragments stand as the head of the answer has them', () => {
  const parents = [-1, -2, -1, -2]
  const tree = wire(parents, { rootNodeIds: ['n2', 'n0'], fragments: [{ rootId: 'n3' }, { rootId: 'n1' }] })
  expect([childrenOf(tree, -1), childrenOf(tree, -2)]).toEqual([
    [2, 0],
    [3, 1],
  ])
  expect(toPlaces(wire(parents, { fragments: [{ rootId: 'n1' }, { rootId: 'n3' }] })).orders).toHaveLength(0)
})

test('an order that names strangers, the same child twice or not all of them loses none and takes none in', () => {
  const reordered = { n0: ['n3', 'n3', 'gone', 'n0', 'n4'], gone: ['n1'] }
  const tree = wire([-1, 0, 0, 0, 1], {}, reordered)
  expect([childrenOf(tree, 0), childrenOf(tree, 1)]).toEqual([[3, 1, 2], [4]])
})

test('what is no parent makes a root, and parents that go round in a circle are cut once', () => {
  const tree = wire([Number.NaN, 7, 1.5, 4, 3, -9, 6, 3])
  expect(childrenOf(tree, -1)).toEqual([0, 2, 3, 5, 6])
  expect([childrenOf(tree, 3), childrenOf(tree, 7)]).toEqual([[4, 7], [1]])
})

test('the active leaf is found; one that is gone is none', () => {
  expect(toPlaces(wire([-1, 0, 1], { activeLeafId: 'n1' })).leaf).toBe(1)
  expect(toPlaces(wire([-1, 0, 1], { activeLeafId: 'gone' })).leaf).toBe(-1)
})
