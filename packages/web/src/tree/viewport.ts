import { overlaps, type Rect } from '../layout/hit.ts'
import { createStore } from '../state/store.ts'
import {
  bringIntoView,
  type Camera,
  centredOn,
  fit,
  type Point,
  panBy,
  READABLE_SCALE,
  type Size,
  toWorld,
  viewOf,
  zoomAt,
} from './camera.ts'
import { glide } from './glide.ts'

/** What of the tree is on screen, and how it gets there. Knows rectangles, and not what is in them. */
export class Viewport {
  readonly camera = createStore<Camera>({ x: -40, y: -40, scale: READABLE_SCALE })
  size: Size = { width: 0, height: 0 }
  /** Whether anything was looked at yet. */
  hasLooked = false
  /** So many pixels at the bottom have something in front of them. */
  private cover = 0
  private stopGlide: () => void = () => {}

  get view(): Rect {
    return viewOf(this.camera.get(), this.size)
  }

  toTree(point: Point): Point {
    return toWorld(this.camera.get(), point)
  }

  /** At once, or in the blink of an eye where motion is wanted. */
  lookAt(camera: Camera, isGliding = true): void {
    this.hasLooked = true
    this.stop()
    if (isGliding) this.stopGlide = glide(this.camera, camera, this.size)
    else this.camera.set(camera)
  }

  /** Ends a move that is under way, wherever it is. */
  stop(): void {
    this.stopGlide()
  }

  zoom(factor: number, at: Point = { x: this.size.width / 2, y: this.size.height / 2 }): void {
    this.lookAt(zoomAt(this.camera.get(), at, factor), false)
  }

  fit(rect: Rect): void {
    this.lookAt(fit(rect, this.size))
  }

  /** By the least move that does it. */
  bring(rect: Rect): void {
    this.lookAt(bringIntoView(this.camera.get(), rect, this.free))
  }

  centre({ left, right, top, bottom }: Rect): void {
    const scale = Math.max(this.camera.get().scale, READABLE_SCALE)
    this.lookAt(centredOn({ x: (left + right) / 2, y: (top + bottom) / 2 }, scale, this.size))
  }

  /** The tree itself has moved under the eye. */
  follow(dx: number, dy: number): void {
    this.stop()
    this.camera.update((camera) => ({ ...camera, x: camera.x + dx, y: camera.y + dy }))
  }

  /** What is in the middle stays there, and what was in sight and matters stays in sight. */
  resize(size: Size, kept: Rect | undefined): void {
    const before = this.size
    this.size = size
    if (before.width === 0) return
    const wasInSight = kept !== undefined && overlaps(kept, viewOf(this.camera.get(), before))
    const middle = panBy(this.camera.get(), (before.width - size.width) / 2, (before.height - size.height) / 2)
    this.camera.set(wasInSight ? bringIntoView(middle, kept, this.free) : middle)
  }

  /** Something stands in front of the bottom from now on: what was in sight moves out from behind it. */
  setCover(cover: number, kept: Rect | undefined): void {
    this.cover = cover
    if (kept !== undefined && overlaps(kept, this.view)) this.bring(kept)
  }

  /** What nothing stands in front of. */
  private get free(): Size {
    return { ...this.size, height: Math.max(1, this.size.height - this.cover) }
  }
}
