import { EDIT_TYPE, type EditData, type EditOp, type Entry, preview } from '@treeline/core'
import { nodesText } from '../output/counted-words.ts'
import { t } from '../output/language.ts'

const MAX_OPS = 4

/** What an edit line did, in a few words. Any shape is survived: other tools may have written it. */
export function describeEdit(entry: Entry | undefined): string {
  switch (entry?.type) {
    case 'label': {
      const { targetId, label } = entry as { readonly targetId?: unknown; readonly label?: unknown }
      return typeof label === 'string' && label !== ''
        ? t('label {label} on {node}', { label: quote(label), node: String(targetId) })
        : t('label taken from {node}', { node: String(targetId) })
    }
    case 'session_info':
    case 'title_change': {
      const { name, title } = entry as { readonly name?: unknown; readonly title?: unknown }
      return name || title ? t('name {name}', { name: quote(String(name || title)) }) : t('name taken away')
    }
    case 'custom': {
      const { customType, data } = entry as { readonly customType?: unknown; readonly data?: unknown }
      return customType === EDIT_TYPE ? describeOps((data as EditData | undefined)?.ops) : t('an entry')
    }
    default:
      return t('unreadable')
  }
}

function describeOps(ops: unknown): string {
  if (!Array.isArray(ops)) return t('nothing')
  const told = ops.slice(0, MAX_OPS).map(describeOp)
  if (ops.length > MAX_OPS) told.push(t('{count} more', { count: ops.length - MAX_OPS }))
  return told.join(t(', '))
}

function describeOp(op: EditOp): string {
  switch (op?.op) {
    case 'mute':
      return t('mute {nodes}', { nodes: nodes(op.nodeIds) })
    case 'unmute':
      return t('unmute {nodes}', { nodes: nodes(op.nodeIds) })
    case 'restore':
      return t('restore {nodes}', { nodes: nodes(op.nodeIds) })
    case 'delete':
      return op.how === 'subtree'
        ? t('delete {nodes} and what follows', { nodes: nodes(op.nodeIds) })
        : t('delete {nodes}', { nodes: nodes(op.nodeIds) })
    case 'prune':
      return op.include === 'self'
        ? t('prune {node}', { node: op.nodeId })
        : t('prune below {node}', { node: op.nodeId })
    case 'graft':
      return describeGraft(op)
    case 'reorder':
      return t('reorder below {node}', { node: op.parentId ?? t('the root') })
    case 'leaf':
      return t('leaf to {node}', { node: op.leafId ?? t('the beginning') })
    case 'label':
      return op.label === null
        ? t('label taken from {node}', { node: op.nodeId })
        : t('label {label} on {node}', { label: quote(op.label), node: op.nodeId })
    case 'name':
      return op.name ? t('name {name}', { name: quote(op.name) }) : t('name taken away')
    case 'meta':
      return t('note on {node}', { node: op.nodeId })
    case 'session':
    case 'config':
      return t('settings')
    case 'uncopy':
      return t('take the copy {node} away', { node: op.nodeId })
    case 'added':
      return t('add {nodes}', { nodes: nodes(op.nodeIds) })
    default:
      return t('something unknown')
  }
}

function describeGraft({ mode, sourceId, targetId }: Extract<EditOp, { readonly op: 'graft' }>): string {
  const values = { node: sourceId, target: targetId ?? '' }
  if (targetId === null)
    return mode === 'copy' ? t('copy {node} as a root', values) : t('graft {node} as a root', values)
  return mode === 'copy' ? t('copy {node} under {target}', values) : t('graft {node} under {target}', values)
}

function nodes(ids: unknown): string {
  if (!Array.isArray(ids)) return t('nothing')
  return ids.length === 1 ? String(ids[0]) : nodesText(ids.length)
}

function quote(text: string): string {
  return JSON.stringify(preview(text, 40))
}
