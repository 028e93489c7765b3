import {
  attachedLeaf,
  type EditPlan,
  type EditRequest,
  type EditRequestOp,
  Flag,
  planEdit,
  type Tree,
  TreelineError,
} from '@treeline/core'
import type { LeftOut } from './left-out.ts'

export type Label = Extract<EditRequestOp, { readonly op: 'label' }>
export type Name = Extract<EditRequestOp, { readonly op: 'name' }>

/** The flags by ref; of those that are rated, pinned, labelled …, none. */
export function markEdited({ columns, edits, ids }: Tree): Uint8Array {
  const marked = columns.flags.slice(0, ids.count)
  for (const ref of edits.meta.keys()) marked[ref] = 0
  // What nobody knows is at -1, where nothing is kept.
  for (const nodeId of edits.labels.keys()) marked[ids.find(nodeId)] = 0
  return marked
}

/** The edits whose effect is still seen on what is copied (mutes, labels, ratings …), to be said again in the fork. */
export function listOperations(tree: Tree, edited: readonly number[]): EditRequestOp[] {
  const { columns, edits, ids } = tree
  const operations: EditRequestOp[] = []
  const muted = edited.filter((ref) => columns.has(ref, Flag.muted))
  if (muted.length > 0) operations.push({ op: 'mute', nodeIds: muted.map((ref) => ids.textOf(ref)) })
  for (const ref of edited) {
    const nodeId = ids.textOf(ref)
    const meta = edits.meta.get(ref)
    if (meta !== undefined && meta.size > 0) operations.push({ op: 'meta', nodeId, patch: Object.fromEntries(meta) })
    const label = edits.labels.get(nodeId)
    if (label !== undefined) operations.push({ op: 'label', nodeId, label: label.label })
  }
  if (edits.config.size > 0) operations.push({ op: 'config', patch: Object.fromEntries(edits.config) })
  return operations
}

/**
 * The name that a fork says in a line of its own: Pi reads no title in a header, and where every line is copied there may be
 * another name among them. Nothing where it is called as its source, of which every line is `copied`.
 */
export function nameToSay(title: string | undefined, copied: string | undefined): string | undefined {
  const name = title?.trim()
  return name === '' || name === copied ? undefined : name
}

/** The operations, if they are nothing but labels: then each can be said again, of entries that have a line. */
export function labelsAlone(
  tree: Tree,
  edited: readonly number[],
  operations: readonly EditRequestOp[],
): readonly Label[] | undefined {
  const isLabel = (op: EditRequestOp): op is Label => op.op === 'label' && op.label !== null && op.label !== ''
  return operations.every(isLabel) && edited.every((ref) => tree.bodyRow(ref) >= 0) ? operations : undefined
}

/**
 * An edit with those that can be said in the new log. A source may hold what no edit is allowed to say today, from another
 * version or tool.
 */
export function planFitting(tree: Tree, request: EditRequest, leftOut: LeftOut): EditPlan | undefined {
  const operations = leftOut.withoutThem(request.operations)
  if (operations.length === 0) return undefined
  const planned = tryPlan(tree, { ...request, operations })
  if (!(planned instanceof TreelineError)) return planned
  const alone = operations.flatMap(apart).filter((op) => {
    const refusal = refusalOf(tree, [op])
    if (refusal !== undefined) leaveOut(op, refusal, leftOut)
    return refusal === undefined
  })
  const fitting = addFitting(tree, [], alone, leftOut)
  return fitting.length === 0 ? undefined : planEdit(tree, attachedLeaf(tree), { ...request, operations: fitting })
}

/** Of those that could be said alone, the ones that can be after each other. Halves until it finds what cannot. */
function addFitting(
  tree: Tree,
  before: readonly EditRequestOp[],
  more: readonly EditRequestOp[],
  leftOut: LeftOut,
): readonly EditRequestOp[] {
  const all = [...before, ...more]
  const refusal = more.length === 0 ? undefined : refusalOf(tree, all)
  if (refusal === undefined) return all
  if (more.length === 1) {
    leaveOut(more[0]!, refusal, leftOut)
    return before
  }
  const half = more.length >> 1
  return addFitting(tree, addFitting(tree, before, more.slice(0, half), leftOut), more.slice(half), leftOut)
}

function leaveOut(op: EditRequestOp, refusal: TreelineError, leftOut: LeftOut): void {
  const message = `An edit is left out, ${JSON.stringify(op)}: ${refusal.message}`
  leftOut.add(new TreelineError(refusal.code, message, refusal.details, { cause: refusal }))
}

/** Key by key and node by node, so that one that is refused takes no other with it. */
function apart(op: EditRequestOp): readonly EditRequestOp[] {
  if (op.op === 'mute') return op.nodeIds.map((id) => ({ ...op, nodeIds: [id] }))
  if (op.op !== 'meta' && op.op !== 'config') return [op]
  return Object.entries(op.patch).map(([key, value]) => ({ ...op, patch: Object.fromEntries([[key, value]]) }))
}

function refusalOf(tree: Tree, operations: readonly EditRequestOp[]): TreelineError | undefined {
  const planned = tryPlan(tree, { operations })
  return planned instanceof TreelineError ? planned : undefined
}

function tryPlan(tree: Tree, request: EditRequest): EditPlan | TreelineError {
  try {
    return planEdit(tree, attachedLeaf(tree), request)
  } catch (error) {
    if (error instanceof TreelineError) return error
    throw error
  }
}
