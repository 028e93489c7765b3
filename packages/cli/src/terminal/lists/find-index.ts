import { ROOT, type Tree } from '@treeline/core'
import type { TreeLayout } from './tree-layout.ts'

/** Where in the unfolded rows a node is, or the nearest one above it that is shown; 0 when there is none. */
export function findIndex(tree: Tree, layout: TreeLayout, rows: Int32Array, ref: number): number {
  const { columns, ids } = tree
  const { refs } = layout
  const rowOf = new Int32Array(ids.count).fill(-1)
  for (let row = 0; row < refs.length; row++) rowOf[refs[row]!] = row
  let at = ref
  if (at > ROOT && rowOf[at]! < 0) at = columns.ownerOf(at)
  while (at > ROOT && rowOf[at]! < 0) at = columns.parent[at]!
  return at > ROOT ? indexOfRow(rows, rowOf[at]!) : 0
}

/** Of a row that is folded away, where the fold is: the last one before it. */
function indexOfRow(rows: Int32Array, row: number): number {
  let low = 0
  let high = rows.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (rows[middle]! <= row) low = middle
    else high = middle - 1
  }
  return low
}
