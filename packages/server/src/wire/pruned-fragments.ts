import type { EditOp, Tree } from '@treeline/core'
import type { Fragment } from '@treeline/protocol'
import type { EditLine } from './edit-events.ts'
import { findNode } from './event-nodes.ts'
import { toFragment } from './to-fragment.ts'
import { idOrNull } from './to-node.ts'
import type { BodyOf } from './with-bodies.ts'

type Prune = Extract<EditOp, { readonly op: 'prune' }>
/** Where a fragment was cut off. */
type Cut = Pick<Fragment, 'fragmentId' | 'fromParentId' | 'fromIndex' | 'createdAt' | 'opId'>

/** What a prune cut off, wherever it is by now: the way back says where it was. How much it is, is told as of now. */
export function prunedFragments(tree: Tree, line: EditLine, op: Prune, bodyOf: BodyOf): Fragment[] {
  return cutsOf(tree, line, op).flatMap((cut) => measured(tree, cut, bodyOf))
}

/** Of these nodes, those that are the tops of fragments now. */
export function fragmentsAmong(tree: Tree, refs: readonly number[], bodyOf: BodyOf): Fragment[] {
  return refs.flatMap((ref) => {
    const state = tree.edits.fragments.get(ref)
    if (state === undefined) return []
    const { fromParent, fromIndex, at, opId } = state
    const cut = {
      fragmentId: tree.ids.textOf(ref),
      fromParentId: idOrNull(tree, fromParent),
      fromIndex,
      createdAt: at,
      opId,
    }
    return measured(tree, cut, bodyOf)
  })
}

function measured(tree: Tree, cut: Cut, bodyOf: BodyOf): Fragment[] {
  const ref = findNode(tree, cut.fragmentId)
  if (ref === undefined) return []
  let nodeCount = 0
  let leafCount = 0
  for (const node of tree.columns.subtree(ref)) {
    nodeCount++
    if (tree.columns.firstChild[node] === 0) leafCount++
  }
  const title = tree.edits.meta.get(ref)?.get('stashTitle')
  const fragment = { ...cut, nodeCount, leafCount, title: typeof title === 'string' ? title : undefined }
  return [toFragment(fragment, bodyOf(cut.fragmentId))]
}

function cutsOf(tree: Tree, line: EditLine, op: Prune): Cut[] {
  const now = { createdAt: line.at, opId: line.id }
  if (op.include === 'self' && op.detached !== undefined) {
    const { at, ...detached } = op.detached
    return [{ fragmentId: op.nodeId, ...detached, createdAt: at }]
  }
  const cuts = line.inverse.flatMap((back): Cut[] => {
    if (back.op !== 'graft' || back.mode !== 'move') return []
    const isOurs = op.include === 'self' ? back.sourceId === op.nodeId : isChildOf(line, op, back)
    return isOurs
      ? [{ fragmentId: back.sourceId, fromParentId: back.targetId, fromIndex: back.index ?? 0, ...now }]
      : []
  })
  return cuts.length > 0 ? cuts.slice(0, op.include === 'self' ? 1 : undefined) : inStash(tree, line, op)
}

/** Another operation of the same edit may have taken a child elsewhere, and has its own way back to the same parent. */
function isChildOf({ ops }: EditLine, { nodeId }: Prune, back: Extract<EditOp, { readonly op: 'graft' }>): boolean {
  if (back.targetId !== nodeId) return false
  return !ops.some(
    (op) =>
      (op.op === 'graft' && op.mode === 'move' && op.sourceId === back.sourceId) ||
      (op.op === 'prune' && op.include === 'self' && op.nodeId === back.sourceId),
  )
}

/** For a line that does not say how to take it back: what it cut off and is still in the stash. */
function inStash(tree: Tree, line: EditLine, op: Prune): Cut[] {
  return [...tree.edits.fragments].flatMap(([ref, { fromParent, fromIndex, at, opId }]) => {
    const fragmentId = tree.ids.textOf(ref)
    const fromParentId = idOrNull(tree, fromParent)
    const isOurs = opId === line.id && (op.include === 'self' ? fragmentId : fromParentId) === op.nodeId
    return isOurs ? [{ fragmentId, fromParentId, fromIndex, createdAt: at, opId }] : []
  })
}
