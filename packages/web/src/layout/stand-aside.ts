import { ALONE } from './contours.ts'
import type { RunsOfBoxes } from './runs.ts'
import type { Gaps, Positions } from './tidy.ts'

/**
 * Puts the trees that stand aside to the left of the others, one below the other, their right edges in a line: so they move
 * nothing when they come, and nothing that grows downward or to the right moves them.
 */
export function standAside(runs: RunsOfBoxes, runX: Float64Array, { x, y }: Positions, gaps: Gaps): void {
  const { count, parent, runOf } = runs
  const tops: number[] = []
  for (let run = 0; run < count; run++) if (parent[run] === ALONE) tops.push(run)
  if (tops.length === 0) return
  const topOf = new Int32Array(count)
  const right = new Float64Array(count)
  const bottom = new Float64Array(count)
  for (let run = 0; run < count; run++) {
    const top = parent[run]! < 0 ? run : topOf[parent[run]!]!
    topOf[run] = top
    right[top] = Math.max(right[top]!, runX[run]! + runs.width[run]! - gaps.beside)
    bottom[top] = Math.max(bottom[top]!, runs.bottom[run]!)
  }
  const down = new Float64Array(count)
  let next = 0
  for (const top of tops) {
    down[top] = next
    next += bottom[top]! + gaps.trees
  }
  for (let box = 0; box < x.length; box++) {
    const top = topOf[runOf[box]!]!
    if (parent[top] !== ALONE) continue
    x[box]! -= right[top]! + gaps.trees
    y[box]! += down[top]!
  }
}
