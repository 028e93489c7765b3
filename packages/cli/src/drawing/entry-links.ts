import { Flag, ROOT, type Tree } from '@treeline/core'
import { childrenOf, LinkBuilder, type Links } from './links.ts'

/**
 * Every entry in its place: nodes where edits put them, and between them the entries a person does not see (model changes,
 * labels …) where they were written. In a log without edits it is the tree that the other tools have.
 */
export function entryLinks(tree: Tree): Links {
  const { columns, ids } = tree
  const links = new LinkBuilder(ids.count)
  const known: number[] = []
  for (let ref = ROOT + 1; ref < ids.count; ref++) if (columns.has(ref, Flag.known)) known.push(ref)
  known.sort((a, b) => tree.lineOf(a) - tree.lineOf(b) || a - b)
  const forks = new Set<number>()
  for (const ref of known) {
    const above = placeOf(tree, ref)
    if (above >= ROOT && links.append(ref, above)) forks.add(above)
  }
  const rank = forks.size === 0 ? undefined : ranksOf(tree)
  for (const fork of forks) sortNodes(tree, links, fork, rank!)
  return links
}

/** What an entry is shown under: what it was written under, unless an edit moved it; below 0 when it hangs nowhere. */
function placeOf({ columns }: Tree, ref: number): number {
  const owner = columns.has(ref, Flag.node) ? columns.parent[ref]! : columns.ownerOf(ref)
  const raw = columns.rawParent[ref]!
  if (columns.has(ref, Flag.copy) || !columns.has(raw, Flag.known) || columns.has(raw, Flag.node)) return owner
  return columns.ownerOf(raw) === owner ? raw : owner
}

/** Where each node stands after all edits; what is deleted stands nowhere. */
function ranksOf({ columns, edits, ids }: Tree): Int32Array {
  const rank = new Int32Array(ids.count)
  let next = 1
  for (const top of [ROOT, ...edits.fragments.keys()]) for (const ref of columns.subtree(top)) rank[ref] = next++
  return rank
}

/** Brings the nodes among the children into the order edits gave them; the others keep their places. */
function sortNodes({ columns }: Tree, { first, next }: Links, above: number, rank: Int32Array): void {
  const children = childrenOf({ first, next }, above)
  const nodes = children.filter((ref) => columns.has(ref, Flag.node)).sort((a, b) => rank[a]! - rank[b]!)
  let at = 0
  const sorted = children.map((ref) => (columns.has(ref, Flag.node) ? nodes[at++]! : ref))
  first[above] = sorted[0]!
  for (const [i, ref] of sorted.entries()) next[ref] = sorted[i + 1] ?? 0
}
