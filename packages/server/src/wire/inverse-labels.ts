import type { EditOp, EditPlan } from '@treeline/core'
import { textsOf } from './json.ts'

type OpOf<T extends EditOp['op']> = Extract<EditOp, { readonly op: T }>

/**
 * The labels that an edit took from a node, all of them: on the wire they are one list, in the log one of them is a line
 * that other tools know and the others are a value of the node. Where the one stays it is said along with the others.
 */
export function inverseLabels({ operations, inverse }: Pick<EditPlan, 'operations' | 'inverse'>, nodeId: string) {
  const { label } = findLabel(inverse, nodeId) ?? findLabel(operations, nodeId) ?? { label: null }
  const beside = inverse.findLast((op): op is OpOf<'meta'> => setsLabels(op) && op.nodeId === nodeId)
  const labels = [...(label === null ? [] : [label]), ...textsOf(beside?.patch.labels)]
  return { op: 'setMetadata', nodeId, patch: { labels: labels.length === 0 ? null : labels } }
}

/** Whether it sets those that stand beside the first. */
export function setsLabels(op: EditOp): op is OpOf<'meta'> {
  return op.op === 'meta' && op.patch.labels !== undefined
}

/** The last one counts, where several of one request are about the same node. */
export function findLabel(ops: readonly EditOp[], nodeId: string): OpOf<'label'> | undefined {
  return ops.findLast((op): op is OpOf<'label'> => op.op === 'label' && op.nodeId === nodeId)
}
