import { expect, test } from 'vitest'
import { createForest } from '../layout/forest.ts'
import { layOut } from '../layout/lay-out.ts'
import { unfoldAll } from './folds.ts'
import { LayoutFeed, viewWith } from './layout-feed.ts'
import { hasMoved } from './links.ts'
import { event, grow } from './testing/model.ts'

test('what was cut out has moved, with all that hangs below it, and nothing else', () => {
  const tree = grow({ a: null, b: 'a', c: 'b', d: 'c', x: 'b', y: 'x' }, 'd')
  const layout = layOut(createForest(new LayoutFeed().changesOf(tree)!.tree!), viewWith(unfoldAll(tree)))
  const moved = () => tree.ids.filter((id) => hasMoved(layout, tree, layout.boxes.boxOf[tree.place(id)]!))
  expect(moved()).toEqual([])
  tree.apply(event({ type: 'tree.pruned', nodeId: 'b', fragments: [{ rootId: 'x' }] } as never))
  expect(moved()).toEqual(['x', 'y'])
})
