import { type Boxes, BoxKind } from './boxes.ts'
import { type Fans, findFans } from './fans.ts'
import type { Folding } from './folding.ts'
import type { Forest } from './forest.ts'
import { buildHitIndex, type HitIndex } from './hit.ts'
import { contract } from './segments.ts'
import { type Gaps, tidy } from './tidy.ts'

const MAX_SIZE = 1e5

export interface Size {
  readonly width: number
  readonly height: number
}

/** Sizes of nodes that are not as large as the others, each at the same index; a node in a segment is passed over. */
export interface MeasuredSizes {
  readonly places: Int32Array
  readonly width: Float64Array
  readonly height: Float64Array
}

export interface View extends Folding {
  readonly sizes: Readonly<Record<keyof typeof BoxKind, Size>>
  readonly measured?: MeasuredSizes
  readonly gaps: Gaps
}

export interface Layout {
  readonly boxes: Boxes
  /** The boxes by where they are. */
  readonly index: HitIndex
  readonly fans: Fans
}

export function layOut(forest: Forest, view: View): Layout {
  const boxes = contract(forest, view)
  const { width, height } = sizeBoxes(boxes, view)
  const { x, y } = tidy({ parent: boxes.parent, width, height, gaps: view.gaps })
  const index = buildHitIndex({ x, y, width, height })
  return { boxes, index, fans: findFans(boxes.parent, index.rects, view.gaps.below) }
}

function sizeBoxes({ kind, boxOf }: Boxes, { sizes, measured }: View): { width: Float64Array; height: Float64Array } {
  const byKind = [sizes.node, sizes.segment, sizes.branch, sizes.more]
  const width = new Float64Array(kind.length)
  const height = new Float64Array(kind.length)
  for (let box = 0; box < kind.length; box++) {
    const size = byKind[kind[box]!]!
    width[box] = size.width
    height[box] = size.height
  }
  for (let at = 0; measured !== undefined && at < measured.places.length; at++) {
    const box = boxOf[measured.places[at]!] ?? -1
    if (box < 0 || kind[box] !== BoxKind.node) continue
    width[box] = sane(measured.width[at], sizes.node.width)
    height[box] = sane(measured.height[at], sizes.node.height)
  }
  return { width, height }
}

/** What was measured while a node was not on the page, or never laid out, is nothing to go by. */
function sane(size: number | undefined, usual: number): number {
  return size !== undefined && size > 0 && size < MAX_SIZE ? size : usual
}
