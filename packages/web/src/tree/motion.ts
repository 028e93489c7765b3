import type { Layout } from '../layout/lay-out.ts'
import type { TreeModel } from '../state/tree-model.ts'
import type { Point } from './camera.ts'
import { easeOut, GLIDE_MS, wantsMotion } from './glide.ts'
import { boxFor } from './links.ts'

/** More than that moving at once is a flicker and no motion. */
const MOST_MOVING = 200

export interface Move {
  readonly before: Layout
  readonly after: Layout
  readonly tree: TreeModel
  /** The boxes on screen now. */
  readonly visible: readonly number[]
  /** How far the camera went along, so that what is looked at stays. */
  readonly shift: Point
}

/** Boxes on their way: after a change of the layout they glide to their places instead of being elsewhere at once. */
export class Motion {
  private layout: Layout | undefined
  private start = 0
  /** By box, where it stood, from where it stands. */
  private readonly from = new Map<number, Point>()

  /** What opens comes out of the box that it was in; what is new is where it is at once. */
  begin({ before, after, tree, visible, shift }: Move, now = performance.now()): void {
    this.layout = undefined
    this.from.clear()
    if (visible.length > MOST_MOVING || !wantsMotion()) return
    const [old, { rects }] = [before.index.rects, after.index]
    for (const box of visible) {
      const place = after.boxes.first[box]!
      const was = place < before.boxes.boxOf.length ? boxFor(before, tree, place) : -1
      if (was < 0) continue
      const x = old.x[was]! - rects.x[box]! + shift.x
      const y = old.y[was]! - rects.y[box]! + shift.y
      if (x !== 0 || y !== 0) this.from.set(box, { x, y })
    }
    if (this.from.size === 0) return
    this.layout = after
    this.start = now
  }

  isUnderWay(layout: Layout, now = performance.now()): boolean {
    if (this.layout !== layout) return false
    if (now - this.start < GLIDE_MS) return true
    this.layout = undefined
    return false
  }

  /** How far a box is from its place. */
  offsetOf(box: number, now = performance.now()): Point | undefined {
    const from = this.from.get(box)
    if (from === undefined) return undefined
    const left = 1 - easeOut((now - this.start) / GLIDE_MS)
    return { x: from.x * left, y: from.y * left }
  }

  /** The layout as it is to be drawn now. */
  drawn(layout: Layout, now = performance.now()): Layout {
    if (!this.isUnderWay(layout, now)) return layout
    const { rects } = layout.index
    const [x, y] = [rects.x.slice(), rects.y.slice()]
    for (const box of this.from.keys()) {
      const offset = this.offsetOf(box, now)!
      x[box]! += offset.x
      y[box]! += offset.y
    }
    return { ...layout, index: { ...layout.index, rects: { ...rects, x, y } } }
  }
}
