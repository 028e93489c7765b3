/** Columns of boxes, by index, each after the one above it: what the contours need to know. */
export interface Runs {
  readonly count: number
  /** The run above; below 0 for a top, ALONE for one that is not put beside others. */
  readonly parent: Int32Array
  /** With the gap to what stands beside it. */
  readonly width: Float64Array
  /** Where it ends, with the gap to what stands below it. */
  readonly bottom: Float64Array
}

const NONE = -1
/** In place of a parent: the top of a tree that no other is to be put beside. */
export const ALONE = -2

/**
 * How far right of the run above each run stands: the first child straight below, every other as near to those before it as
 * the outlines of all that hangs below them allow. Tops stand beside each other in the same way, `topGap` further apart.
 *
 * Reingold and Tilford's contours with threads, as van der Ploeg has them for boxes of any height, without recursion. From
 * a run one goes on down the left or the right outline of its tree in one step; where a shorter tree ends, a thread leads
 * on into the deeper one beside it. Every step hides one run behind another for good, so all of it is linear.
 */
export function spread({ count, parent, width, bottom }: Runs, topGap: number): Float64Array {
  const offset = new Float64Array(count)
  const firstChild = new Int32Array(count).fill(NONE)
  const next = new Int32Array(count)
  // The next of an outline, and how far right of this one it stands.
  const left = new Int32Array(count)
  const leftBy = new Float64Array(count)
  const right = new Int32Array(count)
  const rightBy = new Float64Array(count)
  // The last of the outlines of a tree, and how far right of its top they stand.
  const leftEnd = new Int32Array(count)
  const leftEndBy = new Float64Array(count)
  const rightEnd = new Int32Array(count)
  const rightEndBy = new Float64Array(count)

  /** Puts siblings beside each other; gives the last. Their outlines together are those of `first`'s left and `last`'s right. */
  function place(first: number, gap: number): number {
    let last = first
    for (let run = next[first]!; run !== NONE; last = run, run = next[run]!) {
      let hidden = last
      let hiddenAt = offset[last]!
      let hiding = run
      let hidingBy = 0
      let at = Number.NEGATIVE_INFINITY
      while (hidden !== NONE && hiding !== NONE) {
        at = Math.max(at, hiddenAt + width[hidden]! - hidingBy)
        const hiddenEnd = bottom[hidden]!
        const hidingEnd = bottom[hiding]!
        if (hiddenEnd <= hidingEnd) {
          hiddenAt += rightBy[hidden]!
          hidden = right[hidden]!
        }
        if (hiddenEnd >= hidingEnd) {
          hidingBy += leftBy[hiding]!
          hiding = left[hiding]!
        }
      }
      at += gap
      offset[run] = at
      if (hiding !== NONE) {
        const end = leftEnd[first]!
        left[end] = hiding
        leftBy[end] = at + hidingBy - leftEndBy[first]!
        leftEnd[first] = leftEnd[run]!
        leftEndBy[first] = at + leftEndBy[run]!
      } else if (hidden !== NONE) {
        const end = rightEnd[run]!
        right[end] = hidden
        rightBy[end] = hiddenAt - at - rightEndBy[run]!
        rightEnd[run] = rightEnd[last]!
        rightEndBy[run] = offset[last]! + rightEndBy[last]! - at
      }
    }
    return last
  }

  let firstTop = NONE
  for (let run = count - 1; run >= 0; run--) {
    const first = firstChild[run]!
    if (first === NONE) {
      left[run] = NONE
      right[run] = NONE
      leftEnd[run] = run
      rightEnd[run] = run
    } else {
      const last = place(first, 0)
      left[run] = first
      right[run] = last
      rightBy[run] = offset[last]!
      leftEnd[run] = leftEnd[first]!
      leftEndBy[run] = leftEndBy[first]!
      rightEnd[run] = rightEnd[last]!
      rightEndBy[run] = offset[last]! + rightEndBy[last]!
    }
    const above = parent[run]!
    if (above >= 0) {
      next[run] = firstChild[above]!
      firstChild[above] = run
    } else if (above !== ALONE) {
      next[run] = firstTop
      firstTop = run
    }
  }
  if (firstTop !== NONE) place(firstTop, topGap)
  return offset
}
