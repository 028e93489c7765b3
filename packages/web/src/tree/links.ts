import type { Boxes } from '../layout/boxes.ts'
import type { Layout } from '../layout/lay-out.ts'
import type { TreeModel } from '../state/tree-model.ts'

/** Who stands beside whom among the boxes: -1 where there is nobody. */
export interface Links {
  readonly next: Int32Array
  readonly previous: Int32Array
  readonly firstChild: Int32Array
  readonly childCount: Int32Array
}

const known = new WeakMap<Boxes, Links>()

export function linksOf({ boxes }: Pick<Layout, 'boxes'>): Links {
  const made = known.get(boxes) ?? link(boxes.parent)
  known.set(boxes, made)
  return made
}

/** The box in which a node can be seen: its own, or that of what it is out of sight behind. -1 for one that is gone. */
export function boxFor({ boxes }: Pick<Layout, 'boxes'>, tree: TreeModel, place: number): number {
  for (let at = place; at >= 0; at = tree.parentOf(at)) {
    const box = boxes.boxOf[at] ?? -1
    if (box >= 0) return box
  }
  return -1
}

/** Whether a box hangs elsewhere by now than where a layout has it, or something above it does. */
export function hasMoved({ boxes }: Pick<Layout, 'boxes'>, tree: TreeModel, box: number): boolean {
  for (let at = box; at >= 0; at = boxes.parent[at]!) {
    const above = boxes.parent[at]!
    if (tree.parentOf(boxes.first[at]!) !== (above >= 0 ? boxes.last[above]! : above)) return true
  }
  return false
}

function link(parent: Int32Array): Links {
  const count = parent.length
  const links: Links = {
    next: new Int32Array(count).fill(-1),
    previous: new Int32Array(count).fill(-1),
    firstChild: new Int32Array(count).fill(-1),
    childCount: new Int32Array(count),
  }
  const lastChild = new Int32Array(count).fill(-1)
  const lastTop = new Map<number, number>()
  for (let box = 0; box < count; box++) {
    const above = parent[box]!
    const before = above >= 0 ? lastChild[above]! : (lastTop.get(above) ?? -1)
    if (above >= 0) {
      lastChild[above] = box
      links.childCount[above]!++
      if (before < 0) links.firstChild[above] = box
    } else lastTop.set(above, box)
    if (before < 0) continue
    links.next[before] = box
    links.previous[box] = before
  }
  return links
}
