import type { EditOp } from '@treeline/protocol'
import { BoxKind } from '../layout/boxes.ts'
import { boxAt } from '../layout/hit.ts'
import type { Layout } from '../layout/lay-out.ts'
import type { TreeModel } from '../state/tree-model.ts'
import type { Point } from './camera.ts'

/** Where something is put: under a node, beside it, or between it and what follows. */
export type Where = 'under' | 'before' | 'after' | 'between'

export interface DropTarget {
  readonly box: number
  readonly nodeId: string
  readonly where: Where
}

/** A node or fragment on its way to another place. */
export interface Drag {
  readonly sourceId: string
  readonly label: string
  /** On the stage, in pixels. */
  readonly at: Point
  readonly isCopy: boolean
  readonly target: DropTarget | undefined
  /** It is over the shelf. */
  readonly isOverStash: boolean
}

export interface DropKeys {
  readonly isCopy: boolean
  readonly isBetween: boolean
}

/** Where a drop at this point would put it; `undefined` where nothing can be put. */
export function dropTargetAt(
  { boxes, index }: Layout,
  tree: TreeModel,
  source: number,
  { x, y }: Point,
  { isCopy, isBetween }: DropKeys,
): DropTarget | undefined {
  const box = boxAt(index, x, y)
  if (box < 0 || boxes.kind[box] === BoxKind.more) return undefined
  const { rects } = index
  const fromLeft = (x - rects.x[box]!) / rects.width[box]!
  const fromTop = (y - rects.y[box]!) / rects.height[box]!
  const where = isBetween ? 'between' : zoneAt(fromLeft, fromTop)
  // A contracted run is put behind as a whole, and something beside it stands beside its first.
  const place = where === 'before' || where === 'after' ? boxes.first[box]! : boxes.last[box]!
  if (!isCopy && isWithin(tree, place, source)) return undefined
  if ((where === 'before' || where === 'after') && tree.parentOf(place) < -1) return undefined
  return { box, nodeId: tree.ids[place]!, where }
}

function zoneAt(fromLeft: number, fromTop: number): Where {
  if (fromLeft < 0.16) return 'before'
  if (fromLeft > 0.84) return 'after'
  return fromTop > 0.74 ? 'between' : 'under'
}

/** Whether a node is the source itself or hangs from it. */
function isWithin(tree: TreeModel, place: number, source: number): boolean {
  for (let at = place; at >= 0; at = tree.parentOf(at)) if (at === source) return true
  return false
}

/** The edit that a drop, or its key, asks for. */
export function graftOp(
  tree: TreeModel,
  sourceId: string,
  { nodeId, where }: Pick<DropTarget, 'nodeId' | 'where'>,
  isCopy: boolean,
): EditOp {
  const mode = isCopy ? 'copy' : 'move'
  if (where === 'under') return { op: 'graft', sourceId, targetId: nodeId, mode }
  if (where === 'between') return { op: 'graft', sourceId, targetId: nodeId, mode, insertBetween: true }
  const target = tree.place(nodeId)
  const above = tree.parentOf(target)
  const parentId = above >= 0 ? tree.ids[above]! : null
  const siblings = tree.siblingsOf(target)
  const source = tree.place(sourceId)
  const others = siblings.filter((place) => isCopy || place !== source)
  const index = others.indexOf(target) + (where === 'after' ? 1 : 0)
  if (isCopy || tree.parentOf(source) !== above) return { op: 'graft', sourceId, targetId: parentId, mode, index }
  const order = [...others.slice(0, index), source, ...others.slice(index)]
  return { op: 'reorder', parentId, childrenIds: order.map((place) => tree.ids[place]!) }
}
