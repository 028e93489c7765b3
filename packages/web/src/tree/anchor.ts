import type { Layout } from '../layout/lay-out.ts'
import type { TreeModel } from '../state/tree-model.ts'
import { toScreen } from './camera.ts'
import { hasMoved } from './links.ts'
import type { Viewport } from './viewport.ts'

/** A node that stays where the reader sees it, whatever comes or goes around it. */
export interface TreeAnchor {
  readonly place: number
  readonly x: number
  readonly y: number
}

/** The box where the keys are when it is in sight, else the one nearest to the middle. */
export function findAnchor(
  layout: Layout,
  tree: TreeModel,
  { viewport, visible, focus }: { viewport: Viewport; visible: readonly number[]; focus: number },
): TreeAnchor | undefined {
  const { x, y } = layout.index.rects
  const { width, height } = viewport.size
  const camera = viewport.camera.get()
  let best = -1
  let least = Number.POSITIVE_INFINITY
  for (const box of visible) {
    const at = toScreen(camera, { x: x[box]!, y: y[box]! })
    const away = box === focus ? -1 : Math.hypot(at.x - width / 2, at.y - height / 2)
    // What was put elsewhere goes there, and not all the rest.
    if (away < least && !hasMoved(layout, tree, box)) [best, least] = [box, away]
  }
  return best < 0 ? undefined : { place: layout.boxes.first[best]!, x: x[best]!, y: y[best]! }
}
