import { type EditRequestOp, Flag, planEdit, type Tree, TreelineError } from '@treeline/core'
import type { LeftOut } from './left-out.ts'

/** The edits whose effect is still seen on what is copied (mutes, labels, ratings …), to be said again in the fork. */
export function listOperations(tree: Tree, refs: readonly number[]): EditRequestOp[] {
  const { columns, edits, ids } = tree
  const operations: EditRequestOp[] = []
  const muted = refs.filter((ref) => columns.has(ref, Flag.muted)).map((ref) => ids.textOf(ref))
  if (muted.length > 0) operations.push({ op: 'mute', nodeIds: muted })
  for (const ref of refs) {
    const nodeId = ids.textOf(ref)
    const meta = edits.meta.get(ref)
    if (meta !== undefined && meta.size > 0) operations.push({ op: 'meta', nodeId, patch: Object.fromEntries(meta) })
    const label = edits.labels.size === 0 ? undefined : edits.labels.get(nodeId)
    if (label !== undefined) operations.push({ op: 'label', nodeId, label: label.label })
  }
  if (edits.config.size > 0) operations.push({ op: 'config', patch: Object.fromEntries(edits.config) })
  return operations
}

/** Those that can be said in the fork. A log may hold what no edit is allowed to say today, from another version or tool. */
export function fittingOperations(
  tree: Tree,
  listed: readonly EditRequestOp[],
  leftOut: LeftOut,
): readonly EditRequestOp[] {
  const operations = leftOut.withoutThem(listed)
  if (operations.length === 0 || refusalOf(tree, operations) === undefined) return operations
  return operations.flatMap(apart).filter((op) => {
    const refusal = refusalOf(tree, [op])
    if (refusal === undefined) return true
    const message = `An edit is left out of the fork, ${JSON.stringify(op)}: ${refusal.message}`
    leftOut.addEdit(new TreelineError(refusal.code, message, refusal.details, { cause: refusal }))
    return false
  })
}

/** Key by key and node by node, so that one that is refused takes no other with it. */
function apart(op: EditRequestOp): readonly EditRequestOp[] {
  if (op.op === 'mute') return op.nodeIds.map((id) => ({ ...op, nodeIds: [id] }))
  if (op.op !== 'meta' && op.op !== 'config') return [op]
  return Object.entries(op.patch).map(([key, value]) => ({ ...op, patch: Object.fromEntries([[key, value]]) }))
}

function refusalOf(tree: Tree, operations: readonly EditRequestOp[]): TreelineError | undefined {
  try {
    planEdit(tree, tree.leaf, { operations })
    return undefined
  } catch (error) {
    if (error instanceof TreelineError) return error
    throw error
  }
}
