import { Flag, ROOT } from './columns.ts'
import { isKnownAttached } from './path-end.ts'
import type { Tree } from './tree.ts'

/**
 * The leaf as it may be used: when it was pruned or deleted, where that part was cut off (V6: a leaf is attached or
 * null). Give the log's leaf, or the one a writer keeps for itself.
 */
export function attachedLeaf(tree: Tree, leaf: number = tree.leaf): number {
  const { columns, edits } = tree
  // Where nothing was ever cut off, everything hangs on.
  if (edits.fragments.size === 0 && edits.deleted.size === 0 && leaf === tree.leaf) return leaf
  // One that nobody has moved is told from the others without loading them.
  if (leaf > ROOT && columns.loading.isPending && isKnownAttached(tree, leaf)) return leaf
  let at = leaf
  // Each step leaves one fragment or deleted part; a hostile log may make them point at each other.
  for (let left = edits.fragments.size + edits.deleted.size; at !== ROOT; left--) {
    if (!columns.has(at, Flag.known) || left < 0) return ROOT
    const top = columns.topOf(columns.ownerOf(at))
    if (columns.isAttached(top)) return at
    at = edits.fragments.get(top)?.fromParent ?? edits.deleted.get(top)?.parent ?? ROOT
  }
  return ROOT
}

/** From a node down to a leaf, always into the child where something was added last. */
export function descend(tree: Tree, ref: number): number {
  const { columns } = tree
  const order = [...columns.subtree(ref)]
  const latest = new Map<number, number>()
  for (let i = order.length - 1; i >= 0; i--) {
    const at = order[i]!
    const own = Math.max(tree.lineOf(at), latest.get(at) ?? 0)
    latest.set(at, own)
    const parent = columns.parent[at]!
    latest.set(parent, Math.max(own, latest.get(parent) ?? 0))
  }
  let at = ref
  while (columns.firstChild[at] !== 0) {
    let best = columns.firstChild[at]!
    for (const child of columns.children(at)) if (latest.get(child)! >= latest.get(best)!) best = child
    at = best
  }
  return at
}
