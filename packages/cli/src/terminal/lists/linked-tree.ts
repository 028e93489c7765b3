import { listFragments, ROOT, type Tree } from '@treeline/core'
import { entryLinks } from '../../drawing/entry-links.ts'
import type { Links } from '../../drawing/links.ts'
import type { Linked } from './tree-layout.ts'

export interface LinkedTree extends Linked {
  /** ROOT for none. */
  readonly leaf: number
}

/** The nodes that a person sees, or every entry where it was written. `leaf` is an entry on a path. */
export function linkTree(tree: Tree, leaf: number, hasAll: boolean): LinkedTree {
  const { columns } = tree
  const stash = listFragments(tree).map(({ fragmentId }) => tree.ids.find(fragmentId))
  if (hasAll) {
    const links = entryLinks(tree)
    return { links, stash, leaf, trunk: trunkOf(parentsIn(links), leaf) }
  }
  const node = columns.ownerOf(leaf)
  const links = { first: columns.firstChild, next: columns.next }
  return { links, stash, leaf: node, trunk: trunkOf(columns.parent, node) }
}

function parentsIn({ first, next }: Links): Int32Array {
  const parents = new Int32Array(first.length)
  for (let ref = 0; ref < first.length; ref++) {
    for (let at = first[ref]!; at > ROOT; at = next[at]!) parents[at] = ref
  }
  return parents
}

function trunkOf(parents: Int32Array, leaf: number): Uint8Array {
  const trunk = new Uint8Array(parents.length)
  for (let at = leaf; at > ROOT; at = parents[at]!) trunk[at] = 1
  return trunk
}
