import { expect, test } from 'vitest'
import { createForest } from '../layout/forest.ts'
import { layOut } from '../layout/lay-out.ts'
import { dropTargetAt, graftOp } from './drag.ts'
import { LayoutFeed, viewWith } from './layout-feed.ts'
import { grow } from './testing/model.ts'

const tree = grow({ a: null, b: 'a', c: 'a', d: 'c' }, 'b')
const layout = layOut(createForest(new LayoutFeed().changesOf(tree)!.tree!), viewWith(new Uint8Array(0)))
const NO_KEYS = { isCopy: false, isBetween: false }

function dropOn(id: string, left: number, top: number, source: string, keys = NO_KEYS) {
  const { x, y, width, height } = layout.index.rects
  const box = layout.boxes.boxOf[tree.place(id)]!
  const point = { x: x[box]! + width[box]! * left, y: y[box]! + height[box]! * top }
  return dropTargetAt(layout, tree, tree.place(source), point, keys)
}

test('the middle of a box means under it, its sides beside it, its foot between it and what follows', () => {
  expect(dropOn('b', 0.5, 0.4, 'c')?.where).toBe('under')
  expect(dropOn('b', 0.05, 0.4, 'c')?.where).toBe('before')
  expect(dropOn('b', 0.95, 0.4, 'c')?.where).toBe('after')
  expect(dropOn('b', 0.5, 0.9, 'c')?.where).toBe('between')
  expect(dropOn('b', 0.5, 0.4, 'c', { isCopy: false, isBetween: true })?.where).toBe('between')
})

test('nothing is moved into itself; a copy may be', () => {
  expect(dropOn('c', 0.5, 0.4, 'a')).toBeUndefined()
  expect(dropOn('c', 0.5, 0.4, 'a', { isCopy: true, isBetween: false })?.nodeId).toBe('c')
})

test('beside a sibling is a new order, beside another node a graft at that index', () => {
  expect(graftOp(tree, 'c', { nodeId: 'b', where: 'before' }, false)).toEqual({
    op: 'reorder',
    parentId: 'a',
    childrenIds: ['c', 'b'],
  })
  expect(graftOp(tree, 'd', { nodeId: 'b', where: 'after' }, false)).toEqual({
    op: 'graft',
    sourceId: 'd',
    targetId: 'a',
    mode: 'move',
    index: 1,
  })
  expect(graftOp(tree, 'd', { nodeId: 'a', where: 'after' }, true)).toMatchObject({ targetId: null, index: 1 })
  expect(graftOp(tree, 'd', { nodeId: 'b', where: 'between' }, false)).toMatchObject({ insertBetween: true })
})
