import {
  type EditRequestOp,
  Flag,
  type Kind,
  NOWHERE,
  placeOf,
  ROOT,
  runUp,
  type Tree,
  TreelineError,
} from '@treeline/core'
import { markEdited } from './fork-operations.ts'
import { ForkRuns, idOrNull } from './fork-runs.ts'

/**
 * The lines of a node and all that is below it, and those that edits have marked. The parent is always said: a line without
 * one hangs under the one before it, which may be another here.
 */
export function takeSubtree(tree: Tree, at: number, edited: number[]): ForkRuns {
  const { flags } = tree.columns
  const wanted = subtreeRefs(tree, tree.columns.ownerOf(at))
  // What is still being generated has no line to hang under.
  const included = new Set(wanted.filter((ref) => tree.bodyRow(ref) >= 0))
  const marked = markEdited(tree)
  const runs = new ForkRuns()
  for (const ref of wanted) {
    if (marked[ref] !== flags[ref] || (flags[ref]! & Flag.muted) !== 0) edited.push(ref)
    const row = tree.bodyRow(ref)
    if (row < 0) continue
    runs.add(ref, row, 1, false)
    runs.parents.set(ref, idOrNull(tree, parentWithin(tree, ref, included)))
  }
  return runs
}

/** Nodes below and including the top, and the path entries (model changes …) that hang among them, in log order. */
function subtreeRefs(tree: Tree, top: number): Int32Array {
  const { columns } = tree
  if (top === ROOT || columns.parent[columns.topOf(top)] === NOWHERE) {
    throw new TreelineError('node_detached', 'Only a node of the tree can be forked with what is below it.')
  }
  const nodes = new Set(columns.subtree(top))
  const refs = [...nodes]
  for (let row = 0; row < tree.rowCount; row++) {
    const ref = tree.refAtRow(row)
    const isPathEntry = !columns.has(ref, Flag.node) && placeOf(columns.kind[ref]! as Kind) === 'path'
    if (isPathEntry && tree.generationNode(ref) === undefined && nodes.has(columns.ownerOf(ref))) refs.push(ref)
  }
  return Int32Array.from(refs.sort((a, b) => tree.bodyRow(a) - tree.bodyRow(b)))
}

/** What an entry hangs under in the fork: what it hung under, or where an edit put it. */
function parentWithin(tree: Tree, ref: number, included: ReadonlySet<number>): number {
  const { columns } = tree
  const owner = columns.has(ref, Flag.node) ? columns.parent[ref]! : columns.ownerOf(columns.rawParent[ref]!)
  const above = [...runUp(tree, columns.rawParent[ref]!)].find((at) => included.has(at))
  if (above !== undefined && columns.ownerOf(above) === owner) return above
  let at = owner
  while (at > ROOT && !included.has(at)) at = columns.parent[at]!
  return Math.max(at, ROOT)
}

/** What lines alone do not say: siblings that do not stand in the order of their lines, and where the conversation goes on. */
export function listPlaces(tree: Tree, at: number, { refs, parents }: ForkRuns, leaf: number): EditRequestOp[] {
  const { columns, ids } = tree
  const place = new Int32Array(ids.count).fill(-1)
  for (let i = 0; i < refs.length; i++) place[refs[i]!] = i
  const lastPlace = new Int32Array(ids.count).fill(-1)
  const mixed = new Map<number, string[]>()
  const nodes = [...columns.subtree(columns.ownerOf(at))].filter((ref) => place[ref]! >= 0)
  const parentOf = (ref: number): number => {
    const id = parents.get(ref)
    return id === undefined || id === null ? ROOT : columns.ownerOf(ids.find(id))
  }
  for (const ref of nodes) {
    const parent = parentOf(ref)
    if (lastPlace[parent]! > place[ref]!) mixed.set(parent, [])
    lastPlace[parent] = place[ref]!
  }
  if (mixed.size > 0) for (const ref of nodes) mixed.get(parentOf(ref))?.push(ids.textOf(ref))
  const operations: EditRequestOp[] = []
  for (const [parent, childrenIds] of mixed)
    operations.push({ op: 'reorder', parentId: idOrNull(tree, parent), childrenIds })
  if (leaf > ROOT && place[leaf]! >= 0) operations.push({ op: 'leaf', leafId: ids.textOf(leaf) })
  return operations
}
