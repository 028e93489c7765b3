import { Flag, ROOT, type Tree } from '@treeline/core'
import { childrenOf, LinkBuilder, type Links } from './links.ts'

type Columns = Tree['columns']

const KNOWN = Flag.known
const PLAIN = Flag.known | Flag.node
const PLACED = PLAIN | Flag.copy

/**
 * Every entry in its place: nodes where edits put them, and between them the entries a person does not see (model changes,
 * labels …) where they were written. In a log without edits it is the tree that the other tools have.
 */
export function entryLinks(tree: Tree): Links {
  const { columns, ids } = tree
  const { flags, parent, rawParent } = columns
  const links = new LinkBuilder(ids.count)
  const forks = new Set<number>()
  const order = inLogOrder(tree)
  const top = ROOT
  for (let i = 0; i < order.length; i++) {
    const ref = order[i]!
    const raw = rawParent[ref]!
    // Nearly all are nodes that hang where they were written; the others are asked one by one.
    const isPlain = (flags[ref]! & PLACED) === PLAIN && parent[ref] === raw && (flags[raw]! & PLAIN) === PLAIN
    const above = isPlain ? raw : entryParent(tree, ref)
    if (above >= top && links.append(ref, above)) forks.add(above)
  }
  const ranks = new SiblingRanks(columns, ids.count)
  for (const fork of forks) sortNodes(columns, links, fork, ranks)
  return links
}

/** By line, and by ref where that is the same. Nearly always that is their order already, and no sort is paid for. */
function inLogOrder(tree: Tree): Int32Array {
  const { flags, rowOf } = tree.columns
  const { line } = tree.heads
  const { count } = tree.ids
  const known = new Int32Array(count)
  const lines = new Float64Array(count)
  let size = 0
  let isSorted = true
  for (let ref = ROOT + 1, before = 0; ref < count; ref++) {
    if ((flags[ref]! & KNOWN) === 0) continue
    const row = rowOf[ref]!
    const at = row >= 0 ? line[row]! : tree.lineOf(ref)
    if (at < before) isSorted = false
    before = at
    lines[ref] = at
    known[size++] = ref
  }
  const order = known.subarray(0, size)
  return isSorted ? order : order.sort((a, b) => lines[a]! - lines[b]! || a - b)
}

/** What an entry is shown under: what it was written under, unless an edit moved it; below 0 when it hangs nowhere. */
export function entryParent({ columns }: Tree, ref: number): number {
  const owner = columns.has(ref, Flag.node) ? columns.parent[ref]! : columns.ownerOf(ref)
  const raw = columns.rawParent[ref]!
  if (columns.has(ref, Flag.copy) || !columns.has(raw, Flag.known) || columns.has(raw, Flag.node)) return owner
  return columns.ownerOf(raw) === owner ? raw : owner
}

/** Where nodes stand among their siblings after all edits. Class: it keeps what it was asked. */
class SiblingRanks {
  private readonly columns: Columns
  private readonly ranks: Int32Array
  private readonly ranked = new Set<number>()

  constructor(columns: Columns, count: number) {
    this.columns = columns
    this.ranks = new Int32Array(count)
  }

  /** Of the nodes that hang under an entry: all of them are children of its owner. */
  under(above: number): Int32Array {
    const owner = this.columns.ownerOf(above)
    if (this.ranked.has(owner)) return this.ranks
    this.ranked.add(owner)
    for (const [i, ref] of this.columns.children(owner).entries()) this.ranks[ref] = i
    return this.ranks
  }
}

/** Brings the nodes among the children into the order edits gave them; the others keep their places. */
function sortNodes(columns: Columns, { first, next }: Links, above: number, ranks: SiblingRanks): void {
  const rank = ranks.under(above)
  const children = childrenOf({ first, next }, above)
  const nodes = children.filter((ref) => columns.has(ref, Flag.node)).sort((a, b) => rank[a]! - rank[b]!)
  let at = 0
  const sorted = children.map((ref) => (columns.has(ref, Flag.node) ? nodes[at++]! : ref))
  first[above] = sorted[0]!
  for (const [i, ref] of sorted.entries()) next[ref] = sorted[i + 1] ?? 0
}
