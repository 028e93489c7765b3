import { ROOT } from './columns.ts'
import type { Tree } from './tree.ts'

export interface Branch {
  readonly leafId: string
  /** Nodes from the root to the leaf. */
  readonly length: number
  /** Line that brought the last node of the branch. */
  readonly line: number
  readonly isTrunk: boolean
  readonly label: string | undefined
}

/** One branch per attached node without children, in the order of the tree (P13, P21). */
export function listBranches(tree: Tree, leaf: number = tree.leaf): Branch[] {
  const { columns } = tree
  const depth = new Int32Array(tree.ids.count)
  const branches: Branch[] = []
  const trunkEnd = columns.ownerOf(leaf)
  for (const ref of attachedNodes(tree)) {
    depth[ref] = depth[columns.parent[ref]!]! + 1
    if (columns.firstChild[ref] !== 0) continue
    const leafId = tree.ids.textOf(ref)
    branches.push({
      leafId,
      length: depth[ref]!,
      line: tree.lineOf(ref),
      isTrunk: ref === trunkEnd,
      label: tree.edits.labels.get(leafId)?.label,
    })
  }
  return branches
}

/** Every node in the tree (not in the stash, not deleted), parents first, siblings in order. */
export function* attachedNodes(tree: Tree): Generator<number> {
  for (const ref of tree.columns.subtree(ROOT)) if (ref !== ROOT) yield ref
}

export interface Fragment {
  readonly fragmentId: string
  readonly nodeCount: number
  readonly leafCount: number
  readonly fromParentId: string | null
  readonly fromIndex: number
  readonly title: string | undefined
  readonly createdAt: string
  readonly opId: string
}

/** The stash, oldest cut first. */
export function listFragments(tree: Tree): Fragment[] {
  const { columns, edits, ids } = tree
  const lineOf = (opId: string) => edits.recordById.get(opId)?.line ?? Number.POSITIVE_INFINITY
  const fragments = [...edits.fragments].sort(
    ([, a], [, b]) => lineOf(a.opId) - lineOf(b.opId) || a.fromIndex - b.fromIndex,
  )
  return fragments.map(([ref, { fromParent, fromIndex, at, opId }]) => {
    let nodeCount = 0
    let leafCount = 0
    for (const node of columns.subtree(ref)) {
      nodeCount++
      if (columns.firstChild[node] === 0) leafCount++
    }
    const title = edits.meta.get(ref)?.get('stashTitle')
    return {
      fragmentId: ids.textOf(ref),
      nodeCount,
      leafCount,
      fromParentId: fromParent === ROOT ? null : ids.textOf(fromParent),
      fromIndex,
      title: typeof title === 'string' ? title : undefined,
      createdAt: at,
      opId,
    }
  })
}
