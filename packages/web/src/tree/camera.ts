import type { Rect } from '../layout/hit.ts'

/** What of the tree is looked at: the point in the left upper corner, and how many pixels on screen one of the tree has. */
export interface Camera {
  readonly x: number
  readonly y: number
  readonly scale: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

const MAX_SCALE = 2
/** Where one reads, and where a fit ends. */
export const READABLE_SCALE = 1
const MIN_SCALE = 1e-5

/** How much of a node can be seen. */
export type Detail = 'far' | 'middle' | 'near'

const MIDDLE_FROM = 0.24
const NEAR_FROM = 0.66

export function detailAt(scale: number): Detail {
  if (scale >= NEAR_FROM) return 'near'
  return scale >= MIDDLE_FROM ? 'middle' : 'far'
}

export function toWorld({ x, y, scale }: Camera, point: Point): Point {
  return { x: x + point.x / scale, y: y + point.y / scale }
}

export function toScreen({ x, y, scale }: Camera, point: Point): Point {
  return { x: (point.x - x) * scale, y: (point.y - y) * scale }
}

/** The part of the tree that is on screen. */
export function viewOf({ x, y, scale }: Camera, { width, height }: Size): Rect {
  return { left: x, top: y, right: x + width / scale, bottom: y + height / scale }
}

/** By pixels of the screen. */
export function panBy({ x, y, scale }: Camera, dx: number, dy: number): Camera {
  return { x: x + dx / scale, y: y + dy / scale, scale }
}

/** What is at that point of the screen stays there. */
export function zoomAt(camera: Camera, at: Point, factor: number): Camera {
  const scale = clamp(camera.scale * factor, MIN_SCALE, MAX_SCALE)
  const still = toWorld(camera, at)
  return { x: still.x - at.x / scale, y: still.y - at.y / scale, scale }
}

/** All of a rectangle in the middle of the screen, no larger than is good for reading. */
export function fit({ left, top, right, bottom }: Rect, size: Size, margin = 32): Camera {
  const width = Math.max(1, size.width - 2 * margin)
  const height = Math.max(1, size.height - 2 * margin)
  const wanted = Math.min(width / Math.max(1, right - left), height / Math.max(1, bottom - top))
  const scale = clamp(wanted, MIN_SCALE, READABLE_SCALE)
  return centredOn({ x: (left + right) / 2, y: (top + bottom) / 2 }, scale, size)
}

export function centredOn({ x, y }: Point, scale: number, { width, height }: Size): Camera {
  return { x: x - width / 2 / scale, y: y - height / 2 / scale, scale }
}

/** The least way to have a rectangle on screen with a margin; the camera itself when it is there. */
export function bringIntoView(camera: Camera, rect: Rect, size: Size, margin = 48): Camera {
  const by = margin / camera.scale
  const view = viewOf(camera, size)
  const dx = shift(rect.left - by, rect.right + by, view.left, view.right)
  const dy = shift(rect.top - by, rect.bottom + by, view.top, view.bottom)
  return dx === 0 && dy === 0 ? camera : { ...camera, x: camera.x + dx, y: camera.y + dy }
}

/** Between two cameras: of the scale the ratio counts, so that a zoom looks even. */
export function between(from: Camera, to: Camera, part: number, size: Size): Camera {
  if (part >= 1) return to
  const scale = from.scale * (to.scale / from.scale) ** part
  const middleOf = ({ x, y, scale: at }: Camera): Point => ({ x: x + size.width / 2 / at, y: y + size.height / 2 / at })
  const [a, b] = [middleOf(from), middleOf(to)]
  // Near the larger scale the same way on screen is a smaller one in the tree.
  const way = from.scale === to.scale ? part : (1 / scale - 1 / from.scale) / (1 / to.scale - 1 / from.scale)
  return centredOn({ x: a.x + (b.x - a.x) * way, y: a.y + (b.y - a.y) * way }, scale, size)
}

function shift(low: number, high: number, viewLow: number, viewHigh: number): number {
  if (high - low > viewHigh - viewLow || low < viewLow) return low - viewLow
  return high > viewHigh ? high - viewHigh : 0
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
