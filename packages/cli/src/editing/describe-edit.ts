import { EDIT_TYPE, type EditData, type EditOp, type Entry, preview } from '@treeline/core'
import { counted } from '../output/amount.ts'

const MAX_OPS = 4

/** What an edit line did, in a few words. Any shape is survived: other tools may have written it. */
export function describeEdit(entry: Entry | undefined): string {
  switch (entry?.type) {
    case 'label': {
      const { targetId, label } = entry as { readonly targetId?: unknown; readonly label?: unknown }
      return typeof label === 'string' && label !== ''
        ? `label ${quote(label)} on ${targetId}`
        : `label taken from ${targetId}`
    }
    case 'session_info':
    case 'title_change': {
      const { name, title } = entry as { readonly name?: unknown; readonly title?: unknown }
      return name || title ? `name ${quote(String(name || title))}` : 'name taken away'
    }
    case 'custom': {
      const { customType, data } = entry as { readonly customType?: unknown; readonly data?: unknown }
      return customType === EDIT_TYPE ? describeOps((data as EditData | undefined)?.ops) : 'an entry'
    }
    default:
      return 'unreadable'
  }
}

function describeOps(ops: unknown): string {
  if (!Array.isArray(ops)) return 'nothing'
  const told = ops.slice(0, MAX_OPS).map(describeOp)
  if (ops.length > MAX_OPS) told.push(`${ops.length - MAX_OPS} more`)
  return told.join(', ')
}

function describeOp(op: EditOp): string {
  switch (op?.op) {
    case 'mute':
    case 'unmute':
    case 'restore':
      return `${op.op} ${nodes(op.nodeIds)}`
    case 'delete':
      return `delete ${nodes(op.nodeIds)}${op.how === 'subtree' ? ' and what follows' : ''}`
    case 'prune':
      return op.include === 'self' ? `prune ${op.nodeId}` : `prune below ${op.nodeId}`
    case 'graft':
      return `${op.mode === 'copy' ? 'copy' : 'graft'} ${op.sourceId} ${op.targetId === null ? 'as a root' : `under ${op.targetId}`}`
    case 'reorder':
      return `reorder below ${op.parentId ?? 'the root'}`
    case 'leaf':
      return `leaf to ${op.leafId ?? 'the beginning'}`
    case 'label':
      return op.label === null ? `label taken from ${op.nodeId}` : `label ${quote(op.label)} on ${op.nodeId}`
    case 'name':
      return op.name ? `name ${quote(op.name)}` : 'name taken away'
    case 'meta':
      return `note on ${op.nodeId}`
    case 'session':
    case 'config':
      return 'settings'
    case 'uncopy':
      return `take the copy ${op.nodeId} away`
    case 'added':
      return `add ${nodes(op.nodeIds)}`
    default:
      return 'something unknown'
  }
}

function nodes(ids: unknown): string {
  if (!Array.isArray(ids)) return 'nothing'
  return ids.length === 1 ? String(ids[0]) : counted(ids.length, 'node')
}

function quote(text: string): string {
  return JSON.stringify(preview(text, 40))
}
