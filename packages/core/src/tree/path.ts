import type { PathView } from '../context/path-view.ts'
import { type Kind, placeOf, type Role } from '../entry/kind.ts'
import { Flag, ROOT } from './columns.ts'
import type { Tree } from './tree.ts'

/** A path as refs, root first, seen through the heads. */
export class TreePath implements PathView {
  readonly refs: readonly number[]
  private readonly tree: Tree

  constructor(tree: Tree, refs: readonly number[]) {
    this.tree = tree
    this.refs = refs
  }

  get length(): number {
    return this.refs.length
  }

  idAt(position: number): string {
    return this.tree.ids.textOf(this.refs[position]!)
  }

  kindAt(position: number): Kind {
    return this.tree.columns.kind[this.refs[position]!] as Kind
  }

  /**
   * What a compaction keeps was counted along the stored path. After edits it begins at the first entry of that stretch
   * that is still above the compaction, itself or as a copy: deleting one kept node does not lose the others.
   */
  findKept(id: string, below: number): number | undefined {
    const { columns, ids, edits } = this.tree
    const first = ids.find(id)
    const origin = (ref: number) => edits.copies.get(ref)?.body ?? ref
    const kept = new Set<number>()
    for (let at = origin(this.refs[below]!); at !== first; at = columns.rawParent[at]!) {
      if (at === ROOT || !columns.has(at, Flag.known)) return undefined
      kept.add(at)
    }
    kept.add(first)
    const found = this.refs.findIndex((ref) => kept.has(origin(ref)))
    return found < below ? found : undefined
  }

  roleAt(position: number): Role {
    return this.tree.columns.role[this.refs[position]!] as Role
  }
}

/** The path as stored, edits or not: what `context` reads and what other tools see (S22). */
export function storedPath(tree: Tree, ref: number): TreePath {
  const { columns } = tree
  const refs: number[] = []
  for (let at = ref; at !== ROOT && columns.has(at, Flag.known); at = columns.rawParent[at]!) refs.push(at)
  return new TreePath(tree, refs.reverse())
}

/** The nodes from the root to a leaf after all edits: the trunk, when the leaf is the active one. */
export function nodePath(tree: Tree, ref: number): number[] {
  const { columns } = tree
  const refs: number[] = []
  for (let at = columns.ownerOf(ref); at > ROOT; at = columns.parent[at]!) refs.push(at)
  return refs.reverse()
}

/**
 * The trunk with what acts on it: before each node the path entries (model changes, resets …) that stood above it when it
 * was written; they move along when the node is grafted. Last, those between the leaf's node and the leaf.
 */
export function linePath(tree: Tree, leaf: number): TreePath {
  const refs: number[] = []
  const nodes = nodePath(tree, leaf)
  // Nodes that were written under the same path entries and now follow each other have them once.
  const seen = new Set<number>()
  for (const node of nodes) {
    pushRunUp(tree, tree.columns.rawParent[tree.edits.copies.get(node)?.body ?? node]!, refs, seen)
    refs.push(node)
  }
  if (leaf !== nodes.at(-1)) pushRunUp(tree, leaf, refs, seen)
  return new TreePath(tree, refs)
}

/** Adds the path entries from `from` up to the next node, topmost first. */
function pushRunUp(tree: Tree, from: number, refs: number[], seen: Set<number>): void {
  const { columns } = tree
  const start = refs.length
  for (let at = from; at !== ROOT && columns.has(at, Flag.known) && !columns.has(at, Flag.node); ) {
    if (tree.generationNode(at) !== undefined || seen.has(at)) break
    seen.add(at)
    if (placeOf(columns.kind[at]! as Kind) === 'path') refs.push(at)
    at = columns.rawParent[at]!
  }
  for (let i = start, j = refs.length - 1; i < j; i++, j--) [refs[i], refs[j]] = [refs[j]!, refs[i]!]
}

/** The deepest node above both, ROOT when they share none. */
export function commonAncestor(tree: Tree, left: number, right: number): number {
  const { columns } = tree
  let [a, b] = [columns.ownerOf(left), columns.ownerOf(right)]
  for (let surplus = depthOf(tree, a) - depthOf(tree, b); surplus !== 0; surplus += surplus > 0 ? -1 : 1) {
    if (surplus > 0) a = columns.parent[a]!
    else b = columns.parent[b]!
  }
  while (a !== b && a > ROOT && b > ROOT) {
    a = columns.parent[a]!
    b = columns.parent[b]!
  }
  return a === b ? Math.max(ROOT, a) : ROOT
}

function depthOf(tree: Tree, ref: number): number {
  let depth = 0
  for (let at = ref; at > ROOT; at = tree.columns.parent[at]!) depth++
  return depth
}
