import { nodePath, ROOT, type Tree } from '@treeline/core'
import type { TreeView } from './tree-view.ts'

export interface ShownTrunk {
  /** What is shown of the path from the root to the leaf. */
  readonly refs: readonly number[]
  /** Not there when the leaf itself is hidden. */
  readonly leaf: number | undefined
}

/** The trunk as a view shows it. `leaf` is an entry on a path, which need not be a node. */
export function trunkIn(tree: Tree, view: TreeView, leaf: number): ShownTrunk {
  const above = new Int32Array(tree.ids.count).fill(-1)
  const open = view.roots.map((ref) => ({ ref, parent: ROOT }))
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    above[item.ref] = item.parent
    for (const ref of view.children(item.ref)) open.push({ ref, parent: item.ref })
  }
  const isShown = (ref: number) => above[ref]! >= ROOT
  const node = tree.columns.ownerOf(leaf)
  const end = [leaf, ...nodePath(tree, leaf).reverse()].find((ref) => ref !== ROOT && isShown(ref))
  const refs: number[] = []
  for (let at = end ?? ROOT; at !== ROOT; at = above[at]!) refs.push(at)
  return { refs: refs.reverse(), leaf: end === leaf || end === node ? end : undefined }
}
