import { joinRuns, placeRuns } from './runs.ts'
import { standAside } from './stand-aside.ts'
import { countChildren, mendParents, orderTopDown } from './top-down.ts'

export interface Gaps {
  readonly beside: number
  readonly below: number
  /** Added between one tree and the next, and around what stands aside. */
  readonly trees: number
}

export interface TidyInput {
  /**
   * Index of the box above; -1 for the top of a tree, -2 for the top of one that stands aside. Siblings stand in the order
   * of their indexes.
   */
  readonly parent: Int32Array
  readonly width: Float64Array
  readonly height: Float64Array
  readonly gaps: Gaps
}

/** Left upper corners. Coordinates grow to 10⁸: make them relative to the camera before they go where floats are short. */
export interface Positions {
  readonly x: Float64Array
  readonly y: Float64Array
}

/**
 * A tidy tree: every box below the one above it, a parent straight above its first child, branches to the right of it, no
 * two boxes nearer than the gaps. What comes at the end of the first line moves nothing; whatever comes, nothing changes
 * its height. Linear, and nothing recurses.
 */
export function tidy(input: TidyInput): Positions {
  const children = countChildren(input.parent)
  return children === undefined ? tidyAnyOrder(input) : tidyTopDown(input, children)
}

function tidyTopDown(input: TidyInput, children: Uint8Array): Positions {
  const { length } = input.parent
  const x = new Float64Array(length)
  const y = new Float64Array(length)
  const runs = joinRuns(input, children, y)
  const runX = placeRuns(runs, input.gaps.trees)
  const { runOf } = runs
  for (let box = 0; box < length; box++) x[box] = runX[runOf[box]!]!
  standAside(runs, runX, { x, y }, input.gaps)
  return { x, y }
}

/** After grafts a child may stand before its parent: then the boxes are sorted first, and their places put back at the end. */
function tidyAnyOrder({ parent, width, height, gaps }: TidyInput): Positions {
  const mended = mendParents(parent)
  const order = orderTopDown(mended)
  const rank = new Int32Array(order.length)
  for (let at = 0; at < order.length; at++) rank[order[at]!] = at
  const parents = order.map((box) => (mended[box]! < 0 ? mended[box]! : rank[mended[box]!]!))
  const sorted = { parent: parents, width: pick(width, order), height: pick(height, order), gaps }
  const { x, y } = tidyTopDown(sorted, countChildren(parents)!)
  return { x: pick(x, rank), y: pick(y, rank) }
}

function pick(values: Float64Array, order: Int32Array): Float64Array {
  const picked = new Float64Array(order.length)
  for (let at = 0; at < order.length; at++) picked[at] = values[order[at]!]!
  return picked
}
