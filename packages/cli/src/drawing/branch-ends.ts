import { type Branch, Flag, listBranches, ROOT, type Tree } from '@treeline/core'

/** A place one can switch to: the end of a branch, or an inner node that the leaf is at or that has a label (X34, X35). */
export interface BranchEnd extends Branch {
  /** Nothing follows it. */
  readonly isEnd: boolean
}

/** The latest first. `leaf` is where the session goes on. */
export function listEnds(tree: Tree, leaf: number): BranchEnd[] {
  const { columns, edits, ids } = tree
  const ends: BranchEnd[] = listBranches(tree, leaf).map((branch) => ({ ...branch, isEnd: true }))
  const inner = new Set<number>()
  for (const id of edits.labels.keys()) inner.add(ids.find(id))
  inner.add(columns.ownerOf(leaf))
  for (const ref of inner) {
    const isInner =
      ref > ROOT && columns.has(ref, Flag.node) && columns.firstChild[ref] !== 0 && columns.isAttached(ref)
    if (isInner) ends.push(innerEnd(tree, ref, leaf))
  }
  return ends.sort((a, b) => b.line - a.line)
}

function innerEnd(tree: Tree, ref: number, leaf: number): BranchEnd {
  const leafId = tree.ids.textOf(ref)
  let length = 0
  for (let at = ref; at > ROOT; at = tree.columns.parent[at]!) length++
  return {
    leafId,
    length,
    line: tree.lineOf(ref),
    isTrunk: ref === tree.columns.ownerOf(leaf),
    label: tree.edits.labels.get(leafId)?.label,
    isEnd: false,
  }
}
