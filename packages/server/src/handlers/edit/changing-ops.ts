import { isDeepStrictEqual } from 'node:util'
import { type EditRequestOp, ROOT, type Tree } from '@treeline/core'

/**
 * Of operations on the values of a node those that change something: where all is so already there is no line and no
 * event. A node that is not there is for the edit to refuse.
 */
export function changingOps({ ids, edits }: Tree, operations: readonly EditRequestOp[]): EditRequestOp[] {
  return operations.flatMap((op): EditRequestOp[] => {
    if (op.op === 'label') return (edits.labels.get(op.nodeId.toWellFormed())?.label ?? null) === op.label ? [] : [op]
    if (op.op !== 'meta') return [op]
    const ref = ids.find(op.nodeId)
    const now = ref > ROOT ? edits.meta.get(ref) : undefined
    const changed = Object.entries(op.patch).filter(([key, value]) => !isDeepStrictEqual(now?.get(key) ?? null, value))
    return changed.length === 0 ? [] : [{ ...op, patch: Object.fromEntries(changed) }]
  })
}
