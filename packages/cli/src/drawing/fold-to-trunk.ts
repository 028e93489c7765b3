import { ROOT, type Tree } from '@treeline/core'
import type { Fold, FoldedView } from './fold.ts'
import { childrenOf, LinkBuilder } from './links.ts'
import type { TreeView } from './tree-view.ts'
import { sizesOf } from './view-sizes.ts'

/** The first node of the trunk and the last ones; what branches off there is one line each time. */
export function foldToTrunk(
  tree: Tree,
  view: TreeView,
  given: readonly number[],
  maxLines: number,
): Pick<FoldedView, 'roots' | 'folds' | 'children'> {
  const trunk = given.length > 0 ? given : lastPath(view)
  const sizes = sizesOf(view, tree.ids.count)
  const shown = new LinkBuilder(tree.ids.count)
  const folds = new Map<number, Fold>()
  // Two lines for each node of the end: itself, and what branches off.
  const from = Math.max(1, trunk.length - Math.max(1, Math.floor(maxLines / 2) - 2))

  function foldOthers(refs: readonly number[], above: number, kept: number | undefined): void {
    const others = refs.filter((ref) => ref !== kept)
    if (others.length === 0) return
    const nodes = others.reduce((sum, ref) => sum + sizes[ref]!, 0)
    folds.set(others[0]!, { nodes, where: kept === undefined ? 'below' : 'beside' })
    shown.append(others[0]!, above)
  }

  foldOthers(view.roots, ROOT, trunk[0])
  shown.append(trunk[0]!, ROOT)
  let above = trunk[0]!
  if (from > 1) {
    const nodes = sizes[trunk[0]!]! - 1 - sizes[trunk[from]!]!
    folds.set(trunk[1]!, { nodes, where: 'run' })
    shown.append(trunk[1]!, above)
    above = trunk[1]!
  } else foldOthers(view.children(above), above, trunk[1])
  for (let i = from; i < trunk.length; i++) {
    shown.append(trunk[i]!, above)
    above = trunk[i]!
    foldOthers(view.children(above), above, trunk[i + 1])
  }
  return { roots: childrenOf(shown, ROOT), folds, children: (ref) => childrenOf(shown, ref) }
}

/** Where there is no leaf: always to the last child. */
function lastPath(view: TreeView): number[] {
  const path: number[] = []
  for (let ref = view.roots.at(-1); ref !== undefined; ref = view.children(ref).at(-1)) path.push(ref)
  return path
}
