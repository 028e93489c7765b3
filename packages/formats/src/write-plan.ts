import {
  attachedLeaf,
  attachedNodes,
  type Entry,
  Flag,
  Kind,
  linePath,
  listFragments,
  NOWHERE,
  nodePath,
  ROOT,
  runUp,
  type Tree,
  TreelineError,
} from '@treeline/core'
import type { Session } from '@treeline/store'
import type { WriteOptions } from './format.ts'
import { namesBlob } from './transcript/full-entry.ts'

/** Which nodes go into a file, in which order, and what each hangs under there. */
export interface WritePlan {
  readonly tree: Tree
  readonly refs: readonly number[]
  readonly branches: 'trunk' | 'all'
  /** What is written at which the conversation goes on; `ROOT` for none. */
  readonly leaf: number
  /** Tops of what is in the stash. */
  readonly fragments: ReadonlySet<number>
  /** Nodes that are still being generated: there is nothing of them to write. */
  readonly unfinished: readonly number[]
  /** After all edits: an id that is written, one that was missing from the start, or `null`. */
  parentIdOf(ref: number): string | null
}

const BODIES_PER_READ = 64

/** What a format wants to be planned for. */
export interface PlanOptions extends WriteOptions {
  /** Entries that are no nodes but hold something to give back. */
  readonly isOurs: (entry: Entry) => boolean
  /** The file shows siblings in the order in which they come. */
  readonly showsOrder: boolean
}

/**
 * Nodes in the order of the log, copies last; or, where the file shows their order and edits have put siblings in another
 * one, parents first and siblings as they now stand.
 */
export async function planWriting(
  session: Session,
  { leafId = session.leafId, branches = 'all', isOurs, showsOrder }: PlanOptions,
): Promise<WritePlan> {
  const { tree } = session
  const { columns } = tree
  const leaf = attachedLeaf(tree, findLeaf(tree, leafId))
  const tops = branches === 'trunk' ? [] : listFragments(tree).map(({ fragmentId }) => tree.ids.find(fragmentId))
  const nodes =
    branches === 'trunk'
      ? nodePath(tree, leaf)
      : [...attachedNodes(tree), ...tops.flatMap((top) => [...columns.subtree(top)])]
  const included = new Set(nodes)
  const kept = await findKept(session, pathEntries(tree, leaf, branches, included), isOurs)
  const refs = [...nodes, ...kept].filter((ref) => tree.bodyRow(ref) >= 0)
  if (!showsOrder || isInLogOrder(tree, nodes)) refs.sort((a, b) => placeInLog(tree, a) - placeInLog(tree, b))
  return {
    tree,
    refs,
    branches,
    leaf: leafEntry(tree, leaf, kept),
    fragments: new Set(tops),
    unfinished: nodes.filter((ref) => tree.bodyRow(ref) < 0),
    parentIdOf: (ref) => parentIdOf(tree, ref, kept),
  }
}

/** The entries themselves, long texts and images back in place, a few at a time. One whose bytes are damaged is left out. */
export async function* readBodies(
  session: Session,
  { tree, refs }: WritePlan,
): AsyncGenerator<{ readonly ref: number; readonly entry: Entry | undefined; readonly isWhole: boolean }> {
  for (let start = 0; start < refs.length; start += BODIES_PER_READ) {
    const batch = refs.slice(start, start + BODIES_PER_READ)
    const entries = await session.readEntries(batch.map((ref) => tree.ids.textOf(ref)))
    for (const [i, ref] of batch.entries()) {
      const entry = entries[i]
      if (entry === undefined || !namesBlob(entry)) yield { ref, entry, isWhole: true }
      else {
        const full = await session.readFull(entry.id)
        yield { ref, entry: full?.entry, isWhole: full?.unresolved.length === 0 }
      }
    }
  }
}

function findLeaf(tree: Tree, id: string | null): number {
  if (id === null) return ROOT
  const ref = tree.ids.find(id)
  if (ref > ROOT && tree.columns.has(ref, Flag.known)) return ref
  throw new TreelineError('node_not_found', `There is no node ${id} in this session.`, { nodeIds: [id] })
}

function pathEntries(tree: Tree, leaf: number, branches: string, included: ReadonlySet<number>): number[] {
  const { columns } = tree
  if (branches === 'trunk') return [...linePath(tree, leaf).refs].filter((ref) => columns.kind[ref] === Kind.custom)
  const refs: number[] = []
  for (let row = 0; row < tree.rowCount; row++) {
    const ref = tree.refAtRow(row)
    if (columns.kind[ref] !== Kind.custom || columns.rowOf[ref] !== row) continue
    const owner = columns.ownerOf(ref)
    if (owner === ROOT || included.has(owner)) refs.push(ref)
  }
  return refs
}

async function findKept(
  session: Session,
  refs: readonly number[],
  isOurs: (entry: Entry) => boolean,
): Promise<ReadonlySet<number>> {
  const kept = new Set<number>()
  for (let start = 0; start < refs.length; start += BODIES_PER_READ) {
    const batch = refs.slice(start, start + BODIES_PER_READ)
    const entries = await session.readEntries(batch.map((ref) => session.tree.ids.textOf(ref)))
    batch.forEach((ref, i) => {
      if (entries[i] !== undefined && isOurs(entries[i])) kept.add(ref)
    })
  }
  return kept
}

/** The nearest written one: a node, or what another tool takes for one. */
function leafEntry(tree: Tree, leaf: number, kept: ReadonlySet<number>): number {
  for (const at of runUp(tree, leaf)) if (kept.has(at)) return at
  return tree.columns.ownerOf(leaf)
}

function placeInLog(tree: Tree, ref: number): number {
  const order = tree.orderOf(ref)
  return order < 0 ? tree.rowCount : order
}

function isInLogOrder(tree: Tree, nodes: readonly number[]): boolean {
  const { next, parent } = tree.columns
  return nodes.every((ref) => {
    const after = parent[ref] === NOWHERE ? 0 : next[ref]!
    return tree.orderOf(ref) >= 0 && (after <= 0 || tree.orderOf(ref) < tree.orderOf(after))
  })
}

/** As stored, past what is not written; for a node that an edit has moved, what it hangs under now. */
function parentIdOf(tree: Tree, ref: number, kept: ReadonlySet<number>): string | null {
  const { columns, ids } = tree
  const isNode = columns.has(ref, Flag.node)
  const parent = isNode ? columns.parent[ref]! : columns.ownerOf(ref)
  const above = columns.rawParent[ref]!
  const isMoved = isNode && columns.ownerOf(above) !== parent
  for (const at of runUp(tree, isMoved ? ROOT : above)) {
    // One that was never there is named all the same: that is how it was found.
    if (kept.has(at) || !columns.has(at, Flag.known)) return ids.textOf(at)
  }
  return parent > ROOT ? ids.textOf(parent) : null
}
