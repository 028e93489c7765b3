import { listFragments, ROOT, type Tree } from '@treeline/core'
import { entryLinks, entryParent } from '../../drawing/entry-links.ts'
import type { Linked } from './tree-layout.ts'

export interface LinkedTree extends Linked {
  /** ROOT for none. */
  readonly leaf: number
}

/** The nodes that a person sees, or every entry where it was written. `leaf` is an entry on a path. */
export function linkTree(tree: Tree, leaf: number, hasAll: boolean): LinkedTree {
  const { columns, ids } = tree
  const stash = listFragments(tree).map(({ fragmentId }) => ids.find(fragmentId))
  const trunk = new Uint8Array(ids.count)
  if (hasAll) {
    for (let at = leaf; at > ROOT; at = entryParent(tree, at)) trunk[at] = 1
    return { links: entryLinks(tree), stash, leaf, trunk }
  }
  const node = columns.ownerOf(leaf)
  for (let at = node; at > ROOT; at = columns.parent[at]!) trunk[at] = 1
  return { links: { first: columns.firstChild, next: columns.next }, stash, leaf: node, trunk }
}
