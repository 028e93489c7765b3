import { ROOT } from '@treeline/core'
import type { Links } from '../../drawing/links.ts'

/**
 * What is shown of a tree, as rows from top to bottom. A conversation without branches is a straight list; what hangs
 * under a branch point is one step further in. Columns by row, because there may be 100,000 and more.
 */
export interface TreeLayout {
  readonly refs: Int32Array
  /** The row it hangs under, -1 for none. */
  readonly parent: Int32Array
  /** The row after the last one below it. */
  readonly end: Int32Array
  /** How many rows hang directly under it. */
  readonly kids: Int32Array
  /** The nearest row at or above it, at which a branch begins; -1 for none. */
  readonly head: Int32Array
  /** 1 where no sibling comes after. */
  readonly isLast: Uint8Array
  /** The first row of the stash, which comes last. */
  readonly stashFrom: number
}

/** What is to be laid out: links down, the tops of the tree and of the stash, and 1 for the refs of the trunk. */
export interface Linked {
  readonly links: Links
  readonly stash: readonly number[]
  readonly trunk: Uint8Array
}

/** The active branch first among siblings, the rest in the order of the tree. */
export function layOut({ links: { first, next }, stash, trunk }: Linked): TreeLayout {
  const refs = new Int32Array(first.length)
  const parents = new Int32Array(first.length)
  /** What is still to be shown, and under which row; no more than all refs wait at any time. */
  const open = new Int32Array(first.length)
  const openParents = new Int32Array(first.length)
  const none = ROOT
  let count = 0
  let waiting = 0

  function openRef(ref: number, parent: number): void {
    open[waiting] = ref
    openParents[waiting++] = parent
  }
  function openChildren(ref: number, parent: number): void {
    const start = waiting
    let active = 0
    for (let at = first[ref]!; at > none; at = next[at]!) {
      if (active === 0 && trunk[at] === 1) active = at
      else openRef(at, parent)
    }
    if (waiting - start > 1) open.subarray(start, waiting).reverse()
    if (active !== 0) openRef(active, parent)
  }
  function takeOpen(): void {
    while (waiting > 0) {
      const ref = open[--waiting]!
      refs[count] = ref
      parents[count] = openParents[waiting]!
      openChildren(ref, count++)
    }
  }

  openChildren(ROOT, -1)
  takeOpen()
  const stashFrom = count
  for (const top of stash) {
    openRef(top, -1)
    takeOpen()
  }
  return connect(refs.subarray(0, count), parents.subarray(0, count), stashFrom)
}

/** Only the rows marked with 1; what hangs under one that is left out hangs under the nearest that is not. */
export function keepRows(layout: TreeLayout, shown: Uint8Array): TreeLayout {
  const { length } = layout.refs
  const refs = new Int32Array(length)
  const parents = new Int32Array(length)
  /** By old row: its new one, or that of the nearest shown above. */
  const moved = new Int32Array(length)
  let count = 0
  let stashFrom = 0
  for (let row = 0; row < length; row++) {
    const parent = layout.parent[row]!
    const above = parent < 0 ? -1 : moved[parent]!
    if (shown[row] === 1) {
      refs[count] = layout.refs[row]!
      parents[count] = above
      moved[row] = count++
      if (row < layout.stashFrom) stashFrom = count
    } else moved[row] = above
  }
  return connect(refs.slice(0, count), parents.slice(0, count), stashFrom)
}

/** Parents come before children: one pass up and one down tell the rest. */
function connect(refs: Int32Array, parent: Int32Array, stashFrom: number): TreeLayout {
  const { length } = refs
  const end = new Int32Array(length)
  const kids = new Int32Array(length)
  const head = new Int32Array(length)
  const isLast = new Uint8Array(length)
  for (let row = length - 1; row >= 0; row--) {
    if (end[row] === 0) end[row] = row + 1
    const above = parent[row]!
    if (above < 0) continue
    // From below, the first one seen is the last of its siblings, and reaches furthest.
    if (kids[above]! === 0) {
      isLast[row] = 1
      end[above] = end[row]!
    }
    kids[above]!++
  }
  for (let row = 0; row < length; row++) {
    const above = parent[row]!
    if (above < 0) head[row] = -1
    else head[row] = kids[above]! > 1 ? row : head[above]!
  }
  return { refs, parent, end, kids, head, isLast, stashFrom }
}
