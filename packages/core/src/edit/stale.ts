import { TreelineError } from '../errors.ts'
import { Flag, ROOT } from '../tree/columns.ts'
import type { EditContext } from './edit-context.ts'
import type { EditOp } from './op.ts'

/** C2: refuses an operation when a node in its footprint has changed after the version the caller saw. */
export function refuseStale(context: EditContext, op: EditOp, baseVersion: number): void {
  const { tree } = context
  const conflicts = footprint(context, op)
    .filter((ref) => ref > ROOT && tree.versionOf(ref) > baseVersion)
    .map((ref) => ({ nodeId: tree.ids.textOf(ref), version: tree.versionOf(ref), reason: 'changed since' }))
  if (conflicts.length === 0) return
  const nodeIds = conflicts.map((conflict) => conflict.nodeId)
  const message = `Changed since version ${baseVersion}: ${nodeIds.join(', ')}. Look again, then repeat the edit.`
  throw new TreelineError('stale_node', message, { nodeIds, conflicts })
}

function footprint(context: EditContext, op: EditOp): number[] {
  const { columns, ids } = context.tree
  const find = (id: string | null) => (id === null ? ROOT : Math.max(ROOT, ids.find(id)))
  const withParent = (ref: number) => (columns.has(ref, Flag.node) ? [ref, columns.parent[ref]!] : [ref])
  switch (op.op) {
    case 'mute':
    case 'unmute':
    case 'restore':
    case 'added':
      return op.nodeIds.map(find)
    case 'prune': {
      const ref = find(op.nodeId)
      return op.include === 'self' ? [ref] : [ref, ...columns.children(ref)]
    }
    case 'graft':
      return [...withParent(find(op.sourceId)), find(op.targetId)]
    case 'delete':
      return op.nodeIds.flatMap((id) => withParent(find(id)))
    case 'reorder':
      return [find(op.parentId)]
    case 'meta':
    case 'label':
    case 'uncopy':
      return [find(op.nodeId)]
    default:
      return []
  }
}
