import { TreelineError } from '../errors.ts'
import { Flag, NOWHERE } from '../tree/columns.ts'
import { dropLeafTo, type EditContext, idOf, idOrNull, recall, resolveNode, touch } from './edit-context.ts'
import type { Detached, EditOp, OpOf } from './op.ts'
import type { FragmentState } from './state.ts'

/** X41: every child becomes its own fragment, or with `self` the node does. */
export function prune(context: EditContext, op: OpOf<'prune'>): EditOp[] {
  const { columns } = context.tree
  const node = resolveNode(context, op.nodeId)
  return op.include === 'self' ? pruneSelf(context, op, node) : pruneChildren(context, node, columns.children(node))
}

function pruneSelf(context: EditContext, op: OpOf<'prune'>, node: number): EditOp[] {
  const { columns } = context.tree
  const parent = columns.parent[node]!
  if (parent === NOWHERE) {
    const message = `Node ${op.nodeId} is already the top of a fragment in the stash.`
    throw new TreelineError('validation_failed', message, { nodeIds: [op.nodeId] })
  }
  const from: FragmentState = op.detached
    ? fromDetached(context, op.detached)
    : { fromParent: parent, fromIndex: columns.indexOf(node), at: context.at, opId: context.opId }
  const index = op.detached ? columns.indexOf(node) : from.fromIndex
  detach(context, node, from)
  touch(context, parent)
  dropLeafTo(context, parent)
  return [regraft(context, node, parent, index)]
}

function pruneChildren(context: EditContext, node: number, children: readonly number[]): EditOp[] {
  if (children.length === 0) {
    const id = idOf(context, node)
    throw new TreelineError('validation_failed', `Nothing hangs under node ${id}, so there is nothing to prune.`, {
      nodeIds: [id],
    })
  }
  children.forEach((child, fromIndex) => {
    detach(context, child, { fromParent: node, fromIndex, at: context.at, opId: context.opId })
  })
  touch(context, node)
  dropLeafTo(context, node)
  return children.map((child, index) => regraft(context, child, node, index))
}

/** Where a fragment came from, in words and in refs. */
export function toDetached(context: EditContext, { fromParent, ...rest }: FragmentState): Detached {
  return { ...rest, fromParentId: idOrNull(context, fromParent) }
}

export function fromDetached(context: EditContext, { fromParentId, ...rest }: Detached): FragmentState {
  return { ...rest, fromParent: recall(context, fromParentId) }
}

export function detach(context: EditContext, ref: number, from: FragmentState): void {
  const { columns, edits } = context.tree
  columns.remove(ref)
  columns.flags[ref]! |= Flag.detached
  edits.fragments.set(ref, from)
  touch(context, ref, 'place')
}

/** Takes a node from wherever it is and tells how to put it back there. */
export function takeUp(context: EditContext, ref: number): { readonly parent: number; readonly putBack: EditOp } {
  const { columns, edits } = context.tree
  const fragment = edits.fragments.get(ref)
  if (fragment === undefined) {
    const parent = columns.parent[ref]!
    const putBack = regraft(context, ref, parent, columns.indexOf(ref))
    columns.remove(ref)
    touch(context, parent)
    return { parent, putBack }
  }
  edits.fragments.delete(ref)
  columns.flags[ref]! &= ~Flag.detached
  const detached = toDetached(context, fragment)
  return { parent: NOWHERE, putBack: { op: 'prune', nodeId: idOf(context, ref), include: 'self', detached } }
}

export function regraft(context: EditContext, ref: number, parent: number, index: number): EditOp {
  return { op: 'graft', sourceId: idOf(context, ref), targetId: idOrNull(context, parent), mode: 'move', index }
}
