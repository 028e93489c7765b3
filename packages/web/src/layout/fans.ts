import { buildHitIndex, type HitIndex, type Rects } from './hit.ts'

/**
 * The lines on which the children of a box hang, where there are several: each lies in the gap below its box and reaches to
 * its last child. It may cross the screen with both ends out of sight, so it has to be found by itself; the rest of an edge
 * lies within a gap of the child it belongs to.
 */
export interface Fans {
  /** The box, and the last of its children. */
  readonly owner: Int32Array
  readonly last: Int32Array
  /** Of the lines, by their index in `owner`. */
  readonly index: HitIndex
}

export function findFans(parent: Int32Array, { x, y, width, height }: Rects, gap: number): Fans {
  const lastChild = new Int32Array(parent.length).fill(-1)
  let count = 0
  for (let box = 0; box < parent.length; box++) {
    const above = parent[box]!
    if (above < 0) continue
    if (x[box]! > x[above]! && x[lastChild[above]!] === x[above]) count++
    lastChild[above] = box
  }
  const owner = new Int32Array(count)
  const last = new Int32Array(count)
  const rects = {
    x: new Float64Array(count),
    y: new Float64Array(count),
    width: new Float64Array(count),
    height: new Float64Array(count).fill(gap),
  }
  let fan = 0
  for (let box = 0; box < parent.length; box++) {
    const end = lastChild[box]!
    if (end < 0 || x[end]! <= x[box]!) continue
    owner[fan] = box
    last[fan] = end
    rects.x[fan] = x[box]!
    rects.y[fan] = y[box]! + height[box]!
    rects.width[fan] = x[end]! + width[end]! - x[box]!
    fan++
  }
  return { owner, last, index: buildHitIndex(rects) }
}
