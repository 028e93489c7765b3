import { expect, test } from 'vitest'
import { createForest } from '../layout/forest.ts'
import { layOut } from '../layout/lay-out.ts'
import { unfoldAll } from './folds.ts'
import { LayoutFeed, viewWith } from './layout-feed.ts'
import { outlineRows } from './outline-rows.ts'
import { grow } from './testing/model.ts'

test('the trunk stays on its level, branches stand under the node where they leave it', () => {
  const tree = grow({ a: null, b: 'a', c: 'b', x: 'a', y: 'x', r: null }, 'c')
  const layout = layOut(createForest(new LayoutFeed().changesOf(tree)!.tree!), viewWith(unfoldAll(tree)))
  const rows = outlineRows(layout)
  const told = [...rows.box].map((box, row) => {
    const id = tree.ids[layout.boxes.first[box]!]
    return `${id} ${rows.level[row]} ${rows.position[row]}/${rows.setSize[row]}`
  })
  expect(told).toEqual(['a 1 1/4', 'x 2 1/2', 'y 2 2/2', 'b 1 2/4', 'c 1 3/4', 'r 1 4/4'])
  expect(rows.parent[1]).toBe(0)
  expect([...rows.rowOf].sort()).toEqual([...rows.box.keys()])
})
