import { expect, test } from 'vitest'
import { BoxKind } from '../layout/boxes.ts'
import { createForest } from '../layout/forest.ts'
import { layOut } from '../layout/lay-out.ts'
import type { TreeModel } from '../state/tree-model.ts'
import { carryOver, type Folds, foldBack, toggleFold, unfoldAll, unfoldTo } from './folds.ts'
import { LayoutFeed, viewWith } from './layout-feed.ts'
import { grow } from './testing/model.ts'

const TREE = { a: null, b: 'a', c: 'b', d: 'c', e: 'd', f: 'e', x: 'b', y: 'x', z: 'y' }

function boxesOf(tree: TreeModel, folds: Folds) {
  return layOut(createForest(new LayoutFeed().changesOf(tree)!.tree!), viewWith(folds)).boxes
}

function kindOf(tree: TreeModel, folds: Folds, id: string): number {
  const boxes = boxesOf(tree, folds)
  const box = boxes.boxOf[tree.place(id)]!
  return box < 0 ? -1 : boxes.kind[box]!
}

test('a contracted run opens into its nodes, and closes again from any of them', () => {
  const tree = grow({ a: null, b: 'a', c: 'b', d: 'c', e: 'd', f: 'e' }, 'f')
  const none = new Uint8Array(0)
  expect(kindOf(tree, none, 'c')).toBe(BoxKind.segment)
  const boxes = boxesOf(tree, none)
  const open = toggleFold(none, tree, boxes, boxes.boxOf[tree.place('c')]!)
  expect(kindOf(tree, open, 'c')).toBe(BoxKind.node)
  expect(kindOf(tree, foldBack(open, tree, tree.place('d')), 'c')).toBe(BoxKind.segment)
})

test('a branch unfolds, and folds again from within', () => {
  const tree = grow(TREE, 'f')
  const boxes = boxesOf(tree, new Uint8Array(0))
  expect(boxes.kind[boxes.boxOf[tree.place('x')]!]).toBe(BoxKind.branch)
  const open = toggleFold(new Uint8Array(0), tree, boxes, boxes.boxOf[tree.place('x')]!)
  expect(kindOf(tree, open, 'z')).toBe(BoxKind.node)
  expect(kindOf(tree, foldBack(open, tree, tree.place('z')), 'x')).toBe(BoxKind.branch)
})

test('whatever is looked for can be brought to sight, and all of it at once', () => {
  const tree = grow(TREE, 'f')
  for (const id of tree.ids) expect(kindOf(tree, unfoldTo(new Uint8Array(0), tree, tree.place(id)), id)).toBe(0)
  expect(kindOf(tree, unfoldAll(tree), 'x')).toBe(BoxKind.node)
})

test('a tree that was read anew keeps what was open', () => {
  const before = grow(TREE, 'f')
  const after = grow({ new: null, ...TREE }, 'f')
  const folds = carryOver(unfoldTo(new Uint8Array(0), before, before.place('y')), before, after)
  expect(kindOf(after, folds, 'y')).toBe(BoxKind.node)
})
