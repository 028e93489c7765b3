import { Flag, ROOT, type Tree } from '@treeline/core'
import { foldToTrunk } from './fold-to-trunk.ts'
import { childrenOf, LinkBuilder } from './links.ts'
import type { TreeView } from './tree-view.ts'
import { refsBelow, sizesOf } from './view-sizes.ts'

/** Shown in place of what was left out. It stands at one ref of it: the one on the trunk, else the first. */
export interface Fold {
  readonly nodes: number
  /** `run`: between two that are shown. `below`: too deep. `beside`: too many branches at one place. */
  readonly where: 'run' | 'below' | 'beside'
}

export interface FoldedView extends TreeView {
  readonly folds: ReadonlyMap<number, Fold>
}

export interface FoldOptions {
  /** Nodes below this depth are left out; roots are at 1. */
  readonly maxDepth: number
  /** With more lines than this straight runs become one, and of many branches at one place a few are shown. */
  readonly maxLines: number
  /** The trunk, root first: its end is always shown. */
  readonly trunk: readonly number[]
}

const MIN_RUN = 3
const MAX_BRANCHES = 12
const TRUNK_TAIL = 12

/**
 * Makes a view of a large tree that a person can look at: where it branches, where it ends, what is labelled. Of one that
 * is too large even then, the end of the trunk.
 */
export function foldView(tree: Tree, view: TreeView, options: FoldOptions): FoldedView {
  const { maxLines, maxDepth, trunk } = options
  const isLong = view.count > maxLines
  const folded = foldPlain(tree, view, options, isLong)
  // Whoever says how deep has said what to leave out.
  const isTooLong = isLong && maxDepth === Number.POSITIVE_INFINITY && refsBelow(folded, folded.roots).length > maxLines
  return isTooLong ? withStashOf(folded, foldToTrunk(tree, view, trunk, maxLines)) : folded
}

/** The tree from one view, the stash from the other. */
function withStashOf(folded: FoldedView, tree: Pick<FoldedView, 'roots' | 'folds' | 'children'>): FoldedView {
  const roots = folded.stash.flatMap((stashed) => stashed.roots)
  const stashed = new Set(refsBelow(folded, roots))
  const folds = [...tree.folds, ...[...folded.folds].filter(([ref]) => stashed.has(ref))]
  const children = (ref: number) => (stashed.has(ref) ? folded : tree).children(ref)
  return { ...folded, roots: tree.roots, folds: new Map(folds), children }
}

function foldPlain(tree: Tree, view: TreeView, { maxDepth, trunk }: FoldOptions, isLong: boolean): FoldedView {
  const { columns, edits, ids } = tree
  const folds = new Map<number, Fold>()
  const shown = new LinkBuilder(ids.count)
  const onTrunk = new Set(trunk)
  const tail = new Set(trunk.slice(-TRUNK_TAIL))
  const sizes = sizesOf(view, ids.count)
  const open: { readonly ref: number; readonly depth: number }[] = []

  function fold(above: number, refs: readonly number[], where: 'below' | 'beside'): void {
    const first = refs.find((ref) => onTrunk.has(ref)) ?? refs[0]!
    shown.append(first, above)
    folds.set(first, { nodes: refs.reduce((sum, ref) => sum + sizes[ref]!, 0), where })
  }

  function place(above: number, refs: readonly number[], depth: number): void {
    if (refs.length === 0) return
    if (depth > maxDepth) {
      fold(above, refs, 'below')
      return
    }
    const chosen = new Set(isLong && refs.length > MAX_BRANCHES ? chooseFew(refs, onTrunk) : refs)
    const others = refs.filter((ref) => !chosen.has(ref))
    if (others.length > 0) fold(above, others, 'beside')
    for (const ref of refs) {
      if (!chosen.has(ref)) continue
      const run = isLong && refs.length === 1 && above !== ROOT ? runFrom(ref, depth) : undefined
      shown.append(ref, above)
      if (run === undefined) open.push({ ref, depth })
      else {
        folds.set(ref, { nodes: run.nodes, where: 'run' })
        shown.append(run.end, ref)
        open.push({ ref: run.end, depth: depth + run.nodes })
      }
    }
  }

  /** The plain nodes from here on, and the first that is not; nothing when it is not worth a fold. */
  function runFrom(start: number, depth: number): { readonly nodes: number; readonly end: number } | undefined {
    let nodes = 0
    let at = start
    while (depth + nodes < maxDepth) {
      const below = view.children(at)
      if (below.length !== 1 || !isPlain(at)) break
      nodes++
      at = below[0]!
    }
    return nodes < MIN_RUN ? undefined : { nodes, end: at }
  }

  function isPlain(ref: number): boolean {
    return !tail.has(ref) && !columns.has(ref, Flag.generating) && !edits.labels.has(ids.textOf(ref))
  }

  const tops = [view.roots, ...view.stash.map(({ roots }) => roots)]
  const rootsOf = tops.map((refs) => {
    place(ROOT, refs, 1)
    for (let item = open.pop(); item !== undefined; item = open.pop()) {
      place(item.ref, view.children(item.ref), item.depth + 1)
    }
    const roots = childrenOf(shown, ROOT)
    shown.first[ROOT] = ROOT
    return roots
  })
  const stash = view.stash.map(({ top }, i) => ({ top, roots: rootsOf[i + 1]! }))
  return { roots: rootsOf[0]!, stash, count: view.count, folds, children: (ref) => childrenOf(shown, ref) }
}

/** The one on the trunk and the latest. */
function chooseFew(refs: readonly number[], onTrunk: ReadonlySet<number>): readonly number[] {
  const trunk = refs.filter((ref) => onTrunk.has(ref))
  return [...trunk, ...refs.filter((ref) => !onTrunk.has(ref)).slice(trunk.length - MAX_BRANCHES)]
}
