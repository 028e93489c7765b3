import { boxesIn, padded, type Rect } from '../layout/hit.ts'
import type { Layout } from '../layout/lay-out.ts'
import { type Camera, detailAt, type Point, type Size, viewOf } from './camera.ts'

/** The boxes that are elements of the page: those that can be read. */
export interface NearView {
  readonly layout: Layout | undefined
  readonly boxes: readonly number[]
  /** Elements stand relative to this point of the tree: far from the origin their pixels would not be exact. */
  readonly origin: Point
  /** What of the tree is covered by them. */
  readonly area: Rect
}

/** Never more elements than that. */
export const MAX_NEAR = 150
/** Elements are made so far around the screen, so that most moves need no new ones. */
const AROUND = 240

const NO_AREA: Rect = { left: 0, top: 0, right: 0, bottom: 0 }
export const NONE_NEAR: NearView = { layout: undefined, boxes: [], origin: { x: 0, y: 0 }, area: NO_AREA }

/** The same object while it will do. */
export function nextNear(before: NearView, layout: Layout, camera: Camera, size: Size): NearView {
  const view = viewOf(camera, size)
  if (detailAt(camera.scale) !== 'near') return before.boxes.length === 0 ? before : NONE_NEAR
  if (before.layout === layout && before.boxes.length > 0 && covers(before.area, view)) return before
  const area = padded(view, AROUND / camera.scale)
  const around = boxesIn(layout.index, area)
  if (around.length <= MAX_NEAR) return { layout, boxes: around, origin: { x: camera.x, y: camera.y }, area }
  const boxes = boxesIn(layout.index, view)
  if (boxes.length > MAX_NEAR) return before.boxes.length === 0 ? before : NONE_NEAR
  return { layout, boxes, origin: { x: camera.x, y: camera.y }, area: view }
}

function covers(area: Rect, view: Rect): boolean {
  return area.left <= view.left && area.top <= view.top && area.right >= view.right && area.bottom >= view.bottom
}
