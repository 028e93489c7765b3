import { attachedLeaf, Flag, ROOT, type Tree } from '@treeline/core'

/** Whether a parent was named before its line came is no matter of the tree. */
const SHOWN = ~Flag.awaited

/**
 * Whether a repaired log reads as the damaged one did: the same nodes under the same parents in the same order, muted or
 * not, and the same leaf. Nodes that cannot be read are not asked for; with some of them lost, neither is where others
 * hang, since those below a lost node are shown under the one above it, and an edit of a lost node no longer fits.
 */
export function isSameTree(before: Tree, after: Tree, isLost: (ref: number) => boolean, hasLost: boolean): boolean {
  const idIn = (tree: Tree, ref: number) => (ref <= ROOT ? ref : tree.ids.textOf(ref))
  for (let ref = 1; ref < before.ids.count; ref++) {
    if (!before.columns.has(ref, Flag.node) || isLost(ref)) continue
    const other = after.ids.find(before.ids.textOf(ref))
    if (other <= ROOT || !after.columns.has(other, Flag.node)) return hasLost && before.columns.has(ref, Flag.copy)
    if (hasLost) continue
    const [a, b] = [before.columns, after.columns]
    if (idIn(before, a.parent[ref]!) !== idIn(after, b.parent[other]!)) return false
    if (((a.flags[ref]! ^ b.flags[other]!) & SHOWN) !== 0) return false
    if (idIn(before, a.firstChild[ref]!) !== idIn(after, b.firstChild[other]!)) return false
    const isLast = a.next[ref]! < 0
    if (isLast !== b.next[other]! < 0) return false
    if (!isLast && idIn(before, a.next[ref]!) !== idIn(after, b.next[other]!)) return false
  }
  return hasLost || idIn(before, attachedLeaf(before)) === idIn(after, attachedLeaf(after))
}
