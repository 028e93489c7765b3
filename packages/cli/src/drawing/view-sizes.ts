import type { TreeView } from './tree-view.ts'

/** All that is shown at and below some refs, parents first. */
export function refsBelow(view: TreeView, tops: readonly number[]): number[] {
  const refs: number[] = []
  const open = [...tops]
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    refs.push(ref)
    for (const child of view.children(ref)) open.push(child)
  }
  return refs
}

/** How many are at and below each. */
export function sizesOf(view: TreeView, count: number): Int32Array {
  const sizes = new Int32Array(count)
  const refs = refsBelow(view, [...view.roots, ...view.stash.flatMap(({ roots }) => roots)])
  for (const ref of refs.reverse()) {
    sizes[ref]!++
    for (const child of view.children(ref)) sizes[ref]! += sizes[child]!
  }
  return sizes
}
