import { cutCycles } from './cut-cycles.ts'

const NONE = -1

/** How many children each has: 0, 1 or, for more, 2. `undefined` where a parent does not stand before its child. */
export function countChildren(parent: Int32Array): Uint8Array | undefined {
  const children = new Uint8Array(parent.length)
  for (let at = 0; at < parent.length; at++) {
    const above = parent[at]!
    if (above >= at) return undefined
    if (above >= 0) children[above] = children[above] === 0 ? 1 : 2
  }
  return children
}

/** Parents that can be followed from any numbers: what is no index hangs from nothing, and circles are cut. */
export function mendParents(parent: Int32Array): Int32Array {
  const mended = parent.map((above) => (above < parent.length ? above : NONE))
  cutCycles(mended, 0, mended.length, NONE)
  return mended
}

/** All indexes, none before its parent, siblings as they stood. */
export function orderTopDown(parent: Int32Array): Int32Array {
  const count = parent.length
  const first = new Int32Array(count).fill(NONE)
  const next = new Int32Array(count)
  for (let at = count - 1; at >= 0; at--) {
    const above = parent[at]!
    if (above < 0) continue
    next[at] = first[above]!
    first[above] = at
  }
  const order = new Int32Array(count)
  let end = 0
  for (let at = 0; at < count; at++) if (parent[at]! < 0) order[end++] = at
  for (let done = 0; done < end; done++) {
    for (let child = first[order[done]!]!; child !== NONE; child = next[child]!) order[end++] = child
  }
  return order
}
