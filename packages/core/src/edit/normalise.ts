import { TreelineError } from '../errors.ts'
import { isSafeId } from '../ids.ts'
import { Flag, ROOT } from '../tree/columns.ts'
import { descend } from '../tree/leaf.ts'
import type { Tree } from '../tree/tree.ts'
import { type EditContext, findGenerating, idOf, refuseGenerating, resolveNode, resolveNodes } from './edit-context.ts'
import type { EditOp, EditRequestOp, OpOf } from './op.ts'
import { checkPatch } from './patch-values.ts'

/** What planning an edit finds out beside the operations themselves. */
export interface Findings {
  /** Generations the caller must cancel. */
  readonly cancel: Set<number>
  /** Generations that go on inside a fragment. */
  readonly generatingInFragment: Set<number>
}

/** Turns what a caller asks for into the plain operation that is stored, against the tree as it is now. */
export function normaliseOp(
  tree: Tree,
  context: EditContext,
  op: EditRequestOp,
  findings: Findings,
  /** Absent when an edit is taken back: its operations are complete. */
  newId: (() => string) | undefined,
): EditOp {
  switch (op.op) {
    case 'mute':
    case 'unmute':
      return { op: op.op, nodeIds: expandScope(context, op.nodeIds, 'scope' in op ? op.scope : 'nodes') }
    case 'prune':
      return normalisePrune(context, op, findings)
    case 'graft': {
      const mode = op.mode ?? 'move'
      return { ...op, mode, ...(mode === 'copy' && newId && { idMap: fillIdMap(context, op as OpOf<'graft'>, newId) }) }
    }
    case 'delete': {
      const how = op.how ?? 'subtree'
      for (const ref of resolveNodes(context, op.nodeIds)) stopGenerating(context, ref, how, op, findings)
      const { onGenerating: _, ...rest } = op as { onGenerating?: unknown } & OpOf<'delete'>
      return { ...rest, how }
    }
    case 'leaf':
      return 'resolve' in op && op.resolve === 'descend' && op.leafId !== null
        ? { op: 'leaf', leafId: idOf(context, descend(tree, resolveNode(context, op.leafId))) }
        : withoutResolve(op)
    case 'label':
      return checkLabelTarget(context, op)
    case 'meta':
    case 'session':
    case 'config':
      return checkPatch(op)
    default:
      return op
  }
}

function withoutResolve(op: EditRequestOp & { readonly op: 'leaf' }): EditOp {
  const { resolve: _, ...rest } = op as { resolve?: unknown } & OpOf<'leaf'>
  return rest
}

function expandScope(
  context: EditContext,
  nodeIds: readonly string[],
  scope: 'nodes' | 'subtree' | 'ancestors' = 'nodes',
): readonly string[] {
  if (scope === 'nodes') return nodeIds
  const { columns } = context.tree
  const found = new Set<number>()
  for (const id of nodeIds) {
    const ref = resolveNode(context, id)
    if (scope === 'subtree') for (const node of columns.subtree(ref)) found.add(node)
    else for (let at = ref; at > ROOT; at = columns.parent[at]!) found.add(at)
  }
  return [...found].map((ref) => idOf(context, ref))
}

function normalisePrune(
  context: EditContext,
  op: Extract<EditRequestOp, { readonly op: 'prune' }>,
  findings: Findings,
): EditOp {
  const include = op.include ?? 'descendants'
  const node = resolveNode(context, op.nodeId)
  const generating = findGenerating(context, node).filter((ref) => include === 'self' || ref !== node)
  const what = 'onGenerating' in op ? op.onGenerating : 'continue'
  if (what === 'reject') refuseGenerating(context, generating)
  for (const ref of generating) (what === 'cancel' ? findings.cancel : findings.generatingInFragment).add(ref)
  return { op: 'prune', nodeId: op.nodeId, include, ...('detached' in op && op.detached && { detached: op.detached }) }
}

function stopGenerating(
  context: EditContext,
  node: number,
  how: 'subtree' | 'splice',
  op: Extract<EditRequestOp, { readonly op: 'delete' }>,
  findings: Findings,
): void {
  const generating = findGenerating(context, node).filter((ref) => how === 'subtree' || ref === node)
  if ('onGenerating' in op && op.onGenerating === 'cancel') for (const ref of generating) findings.cancel.add(ref)
  else refuseGenerating(context, generating)
}

/** A copy names every node it makes, so that reading the line again gives the same ids. */
function fillIdMap(context: EditContext, op: OpOf<'graft'>, newId: () => string): Readonly<Record<string, string>> {
  const given = new Map(Object.entries(op.idMap ?? {}))
  const filled: [string, string][] = []
  for (const ref of context.tree.columns.subtree(resolveNode(context, op.sourceId))) {
    const id = idOf(context, ref)
    const copyId = given.get(id) ?? newId()
    if (!isSafeId(copyId)) {
      throw new TreelineError('validation_failed', `"${copyId}" cannot be an id: use letters, digits, ".", "_", "-".`, {
        nodeIds: [id],
      })
    }
    filled.push([id, copyId])
  }
  return Object.fromEntries(filled)
}

function checkLabelTarget(context: EditContext, op: OpOf<'label'>): EditOp {
  const ref = context.tree.ids.find(op.nodeId)
  if (ref > ROOT && context.tree.columns.has(ref, Flag.known)) return op
  throw new TreelineError('node_not_found', `There is no entry ${op.nodeId} to label in this session.`, {
    nodeIds: [op.nodeId],
  })
}
