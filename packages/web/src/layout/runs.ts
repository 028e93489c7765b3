import { type Runs, spread } from './contours.ts'
import type { TidyInput } from './tidy.ts'

/** Lines of boxes that stand straight below each other: for the contours each is one box. */
export interface RunsOfBoxes extends Runs {
  /** By box. */
  readonly runOf: Int32Array
}

/**
 * Joins boxes of one width where each has one child, which of a conversation leaves a few in a hundred. Fills `y` on the
 * way. Every box must stand after the one above it; `children` says of each whether it has none, one or more.
 */
export function joinRuns(
  { parent, width, height, gaps }: TidyInput,
  children: Uint8Array,
  y: Float64Array,
): RunsOfBoxes {
  const boxCount = parent.length
  const { beside, below } = gaps
  const runOf = new Int32Array(boxCount)
  const above = new Int32Array(boxCount)
  const widths = new Float64Array(boxCount)
  const bottoms = new Float64Array(boxCount)
  let count = 0
  for (let box = 0; box < boxCount; ) {
    const boxAbove = parent[box]!
    const space = sizeOf(width[box]!) + beside
    const runAbove = boxAbove < 0 ? boxAbove : runOf[boxAbove]!
    let bottom = boxAbove < 0 ? 0 : bottoms[runAbove]!
    let run = runAbove
    // The box above is the last of its run, for only this one could come after it.
    if (boxAbove < 0 || children[boxAbove] !== 1 || widths[runAbove] !== space) {
      run = count++
      above[run] = runAbove
      widths[run] = space
    }
    // On along the boxes that follow each other, without a look at what was just written.
    do {
      runOf[box] = run
      y[box] = bottom
      bottom += sizeOf(height[box]!) + below
      box++
    } while (
      box < boxCount &&
      parent[box] === box - 1 &&
      children[box - 1] === 1 &&
      sizeOf(width[box]!) + beside === space
    )
    bottoms[run] = bottom
  }
  return { count, parent: above, width: widths, bottom: bottoms, runOf }
}

export function placeRuns(runs: Runs, topGap: number): Float64Array {
  const x = spread(runs, topGap)
  for (let run = 0; run < runs.count; run++) {
    const above = runs.parent[run]!
    if (above >= 0) x[run]! += x[above]!
  }
  return x
}

/** What was not measured yet, or measured wrongly, takes no room. */
function sizeOf(size: number): number {
  return size > 0 && size < Number.POSITIVE_INFINITY ? size : 0
}
