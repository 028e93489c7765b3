import type { Layout } from '../layout/lay-out.ts'
import { linksOf } from './links.ts'

/** In pixels, every row. */
export const ROW_HEIGHT = 30

/** The boxes of a layout as the rows of an outline, by row. */
export interface OutlineRows {
  readonly box: Int32Array
  readonly level: Int32Array
  /** Which of how many on its level under the same row. */
  readonly position: Int32Array
  readonly setSize: Int32Array
  /** The row above it in the hierarchy; -1 for a top. */
  readonly parent: Int32Array
  /** By box. */
  readonly rowOf: Int32Array
}

/**
 * A conversation goes on on its level; what branches off stands one level deeper, right after the node where it does. So a
 * thousand messages are a list and not a thousand levels.
 */
export function outlineRows(layout: Layout): OutlineRows {
  const { parent: boxAbove } = layout.boxes
  const count = boxAbove.length
  const { firstChild, next } = linksOf(layout)
  const rows: OutlineRows = {
    box: new Int32Array(count),
    level: new Int32Array(count),
    position: new Int32Array(count),
    setSize: new Int32Array(count),
    parent: new Int32Array(count).fill(-1),
    rowOf: new Int32Array(count).fill(-1),
  }
  const sizes = new Map<number, number>()
  // A box and the row it belongs to; the next one last.
  const open: (readonly [box: number, parentRow: number, level: number])[] = []
  const tops = [...boxAbove.keys()].filter((box) => boxAbove[box]! < 0)
  const roots = tops.filter((box) => boxAbove[box] === -1)
  const stashed = tops.filter((box) => boxAbove[box] !== -1)
  for (const box of [...roots, ...stashed].reverse()) open.push([box, -1, 1])
  for (let row = 0; open.length > 0; row++) {
    const [box, parentRow, level] = open.pop()!
    rows.box[row] = box
    rows.level[row] = level
    rows.parent[row] = parentRow
    rows.rowOf[box] = row
    const position = (sizes.get(parentRow) ?? 0) + 1
    sizes.set(parentRow, position)
    rows.position[row] = position
    const main = firstChild[box]!
    if (main < 0) continue
    open.push([main, parentRow, level])
    const branches: number[] = []
    for (let at = next[main]!; at >= 0; at = next[at]!) branches.push(at)
    for (const branch of branches.reverse()) open.push([branch, row, level + 1])
  }
  for (let row = 0; row < count; row++) rows.setSize[row] = sizes.get(rows.parent[row]!) ?? 1
  return rows
}
