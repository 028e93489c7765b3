import { TreelineError } from '../errors.ts'
import { type Columns, Flag, ROOT } from '../tree/columns.ts'
import type { IdTable } from '../tree/id-table.ts'
import type { EditState } from './state.ts'

/** The parts of a tree that edits work on. */
export interface EditableTree {
  readonly ids: IdTable
  readonly columns: Columns
  readonly edits: EditState
  versionOf(ref: number): number
}

/** One edit being applied: who it is, and what it has changed so far. */
export interface EditContext {
  readonly tree: EditableTree
  /** Id of the edit entry, its time and its line. */
  readonly opId: string
  readonly at: string
  readonly line: number
  /** The entry at which the conversation goes on, ROOT for none. Operations that cut it off move it up. */
  leaf: number
  readonly changed: Set<number>
  readonly touched: Set<string>
}

export function idOf(context: EditContext, ref: number): string {
  return context.tree.ids.textOf(ref)
}

export function idOrNull(context: EditContext, ref: number): string | null {
  return ref === ROOT ? null : idOf(context, ref)
}

/** A node that is in the tree or in the stash; a deleted one counts as not found. */
export function resolveNode(context: EditContext, id: string): number {
  const ref = findNode(context, id)
  const { columns, edits } = context.tree
  // Where nothing was deleted nobody has to walk up for every operation of an edit that has thousands.
  if (edits.deleted.size > 0 && columns.has(columns.topOf(ref), Flag.deleted)) {
    throw new TreelineError('node_not_found', `Node ${id} is deleted. Restore it first.`, { nodeIds: [id] })
  }
  return ref
}

/** Many at once: shared stretches of the way up are walked once. */
export function resolveNodes(context: EditContext, ids: readonly string[]): number[] {
  const { columns, edits } = context.tree
  if (edits.deleted.size === 0 || ids.length === 1) return ids.map((id) => resolveNode(context, id))
  const live = new Set<number>()
  return ids.map((id) => {
    const ref = findNode(context, id)
    const walk: number[] = []
    let at = ref
    for (; at > ROOT && !live.has(at); at = columns.parent[at]!) walk.push(at)
    if (at < ROOT && columns.has(walk.at(-1) as number, Flag.deleted)) resolveNode(context, id)
    for (const passed of walk) live.add(passed)
    return ref
  })
}

export function findNode(context: EditContext, id: string): number {
  const ref = context.tree.ids.find(id)
  if (ref <= ROOT || !context.tree.columns.has(ref, Flag.node)) {
    throw new TreelineError('node_not_found', `There is no node ${id} in this session.`, { nodeIds: [id] })
  }
  return ref
}

/** For what is remembered, not acted on: an id that means nothing any more is as good as "above the roots". */
export function recall(context: EditContext, id: string | null): number {
  return id === null ? ROOT : Math.max(ROOT, context.tree.ids.find(id))
}

export function resolveParent(context: EditContext, id: string | null): number {
  return id === null ? ROOT : resolveNode(context, id)
}

/** Notes that a node was changed, and which of its values, for versions and for undo. */
export function touch(context: EditContext, ref: number, ...values: string[]): void {
  context.changed.add(ref)
  for (const value of values) context.touched.add(`${value}:${ref}`)
}

/** Moves the leaf up when an operation has cut it off the tree (X42). */
export function dropLeafTo(context: EditContext, ref: number): void {
  const { columns } = context.tree
  if (!columns.isAttached(columns.ownerOf(context.leaf))) context.leaf = ref
}

export function findGenerating(context: EditContext, top: number): number[] {
  const { columns } = context.tree
  const found: number[] = []
  for (const ref of columns.subtree(top)) if (columns.has(ref, Flag.generating)) found.push(ref)
  return found
}

export function refuseGenerating(context: EditContext, generating: readonly number[]): void {
  if (generating.length === 0) return
  const nodeIds = generating.map((ref) => idOf(context, ref))
  throw new TreelineError(
    'subtree_generating',
    `Still generating: ${nodeIds.join(', ')}. Wait for it or cancel it first.`,
    { nodeIds },
  )
}
