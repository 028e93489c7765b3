import { TreelineError } from '../errors.ts'
import { Flag, NOWHERE, ROOT } from '../tree/columns.ts'
import {
  dropLeafTo,
  type EditContext,
  findNode,
  idOf,
  idOrNull,
  recall,
  resolveNodes,
  resolveParent,
  touch,
} from './edit-context.ts'
import type { DeletedFrom, EditOp, OpOf } from './op.ts'
import { detach, fromDetached, takeUp, toDetached } from './stash-ops.ts'
import type { DeletedState, FragmentState } from './state.ts'

/** Soft: the nodes leave the tree and can be restored until a purge. */
export function deleteNodes(context: EditContext, op: OpOf<'delete'>): EditOp[] {
  const { columns } = context.tree
  const refs = [...new Set(resolveNodes(context, op.nodeIds))]
  if (op.leafOnly) refuseReplies(context, refs)
  const gone: string[] = []
  let index: number | undefined
  for (const ref of refs) {
    // Listed together with an ancestor that has just gone: nothing left to do.
    if (columns.has(columns.topOf(ref), Flag.deleted)) continue
    if (op.was !== undefined && columns.parent[ref] !== NOWHERE) index = columns.indexOf(ref)
    deleteOne(context, ref, op.how)
    if (op.was !== undefined) context.tree.edits.deleted.set(ref, fromDeleted(context, op.was))
    gone.push(idOf(context, ref))
  }
  // Restored in reverse, each finds the siblings it had when it left.
  return [{ op: 'restore', nodeIds: gone.reverse(), ...(index !== undefined && { index }) }]
}

function refuseReplies(context: EditContext, refs: readonly number[]): void {
  const going = new Set(refs)
  for (const ref of refs) {
    if (context.tree.columns.children(ref).every((child) => going.has(child))) continue
    const nodeIds = [idOf(context, ref)]
    throw new TreelineError('stale_node', `Something hangs under node ${nodeIds[0]} by now. Move it away first.`, {
      nodeIds,
    })
  }
}

function deleteOne(context: EditContext, ref: number, how: 'subtree' | 'splice'): void {
  const { columns, edits } = context.tree
  const fragment = edits.fragments.get(ref)
  const parent = columns.parent[ref]!
  const index = parent === NOWHERE ? 0 : columns.indexOf(ref)
  edits.fragments.delete(ref)
  columns.remove(ref)
  const adopted = how === 'splice' ? columns.children(ref) : undefined
  adopted?.forEach((child, i) => {
    if (fragment !== undefined) detach(context, child, { ...fragment, fromIndex: fragment.fromIndex + i })
    else {
      columns.remove(child)
      columns.insert(child, parent, index + i)
      touch(context, child, 'place')
    }
  })
  columns.flags[ref] = (columns.flags[ref]! & ~Flag.detached) | Flag.deleted
  edits.deleted.set(ref, {
    parent: Math.max(ROOT, parent),
    index,
    ...(fragment && { fragment }),
    ...(adopted && { adopted }),
  })
  touch(context, ref, 'place')
  touch(context, Math.max(ROOT, parent))
  dropLeafTo(context, Math.max(ROOT, parent))
}

/** Puts deleted nodes back where they were; into the stash when their parent is gone too. */
export function restoreNodes(context: EditContext, op: OpOf<'restore'>): EditOp[] {
  const { columns, edits } = context.tree
  const inverse: EditOp[][] = []
  const refs = [...new Set(op.nodeIds.map((id) => findDeleted(context, id)))]
  for (const ref of refs) {
    const state = edits.deleted.get(ref) as DeletedState
    edits.deleted.delete(ref)
    columns.flags[ref]! &= ~Flag.deleted
    const letGo = restoreOne(context, ref, { ...state, index: op.index ?? state.index })
    const deleteAgain: EditOp = {
      op: 'delete',
      nodeIds: [idOf(context, ref)],
      how: 'subtree',
      was: toDeleted(context, state),
    }
    inverse.push(letGo.concat(deleteAgain))
  }
  return inverse.reverse().flat()
}

function toDeleted(context: EditContext, { parent, index, adopted, fragment }: DeletedState): DeletedFrom {
  return {
    parentId: idOrNull(context, parent),
    index,
    ...(adopted && { adoptedIds: adopted.map((ref) => idOf(context, ref)) }),
    ...(fragment && { detached: toDetached(context, fragment) }),
  }
}

function fromDeleted(context: EditContext, { parentId, index, adoptedIds, detached }: DeletedFrom): DeletedState {
  return {
    parent: recall(context, parentId),
    index,
    ...(adoptedIds && { adopted: adoptedIds.map((id) => recall(context, id)) }),
    ...(detached && { fragment: fromDetached(context, detached) }),
  }
}

function findDeleted(context: EditContext, id: string): number {
  const ref = findNode(context, id)
  if (context.tree.edits.deleted.has(ref)) return ref
  throw new TreelineError('validation_failed', `Node ${id} is not deleted.`, { nodeIds: [id] })
}

/** Returns the steps that give the children it takes back to where they are now. */
function restoreOne(context: EditContext, ref: number, state: DeletedState): EditOp[] {
  const { columns } = context.tree
  const fragment = state.fragment ?? lostParent(context, state)
  const letGo: EditOp[] = []
  if (fragment !== undefined) detach(context, ref, fragment)
  else columns.insert(ref, state.parent, state.index)
  for (const child of state.adopted ?? []) {
    const isWhereItWasLeft =
      fragment === undefined ? columns.parent[child] === state.parent : isFragment(context, child)
    if (!isWhereItWasLeft) continue
    letGo.push(takeUp(context, child).putBack)
    columns.insert(child, ref)
    touch(context, child, 'place')
  }
  touch(context, ref, 'place')
  touch(context, state.parent)
  return letGo.reverse()
}

function lostParent(context: EditContext, state: DeletedState): FragmentState | undefined {
  const { columns } = context.tree
  if (state.parent === ROOT || !columns.has(columns.topOf(state.parent), Flag.deleted)) return undefined
  return { fromParent: state.parent, fromIndex: state.index, at: context.at, opId: context.opId }
}

function isFragment(context: EditContext, ref: number): boolean {
  return context.tree.columns.has(ref, Flag.detached)
}

export function reorder(context: EditContext, op: OpOf<'reorder'>): EditOp[] {
  const { columns } = context.tree
  const parent = resolveParent(context, op.parentId)
  const before = columns.children(parent)
  const wanted = resolveNodes(context, op.childrenIds)
  const current = new Set(before)
  if (
    wanted.length !== before.length ||
    new Set(wanted).size !== before.length ||
    !wanted.every((r) => current.has(r))
  ) {
    const message = `The new order must name each child of ${op.parentId ?? 'the top level'} exactly once.`
    throw new TreelineError('validation_failed', message, { nodeIds: [...op.childrenIds] })
  }
  for (const ref of wanted) {
    columns.remove(ref)
    columns.insert(ref, parent)
  }
  touch(context, parent, 'order')
  for (const ref of wanted) context.changed.add(ref)
  return [{ op: 'reorder', parentId: idOrNull(context, parent), childrenIds: before.map((ref) => idOf(context, ref)) }]
}
