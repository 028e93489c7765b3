import type { EditOp, EditPlan } from '@treeline/core'
import type { EditResult } from '@treeline/protocol'
import { findLabel, inverseLabels, setsLabels } from './inverse-labels.ts'
import { objectOr } from './json.ts'
import { OWN_EXT, OWN_KEYS } from './node-metadata.ts'

type WireOp = EditResult['inverse'][number]
type Patch = Readonly<Record<string, unknown>>

/**
 * The operations that take an edit back, for a client to send. They bring the tree back as one sees it; of where a fragment
 * had come from before, only `undo` knows. What clients cannot ask for (a name, settings) stays in core's words.
 */
export function toInverse({ operations, inverse }: Pick<EditPlan, 'operations' | 'inverse'>): WireOp[] {
  return inverse.flatMap((op): WireOp[] => {
    if (op.op === 'label') {
      return findLabel(inverse, op.nodeId) === op ? [inverseLabels({ operations, inverse }, op.nodeId)] : []
    }
    const wire = toEditOp(op, operations)
    if (!setsLabels(op)) return [wire]
    const others = Object.keys(wire.patch as Patch).length === 0 ? [] : [wire]
    const isSaid = findLabel(inverse, op.nodeId) !== undefined
    return isSaid ? others : [...others, inverseLabels({ operations, inverse }, op.nodeId)]
  })
}

function toEditOp(op: Exclude<EditOp, { op: 'label' }>, done: readonly EditOp[]): WireOp {
  switch (op.op) {
    case 'mute':
    case 'unmute':
      return { op: 'setEnabled', nodeIds: op.nodeIds, isEnabled: op.op === 'unmute' }
    case 'leaf':
      return { op: 'setActiveLeaf', leafId: op.leafId }
    case 'prune':
      return { op: 'prune', nodeId: op.nodeId, include: op.include }
    case 'uncopy':
      return { op: 'delete', nodeIds: [op.nodeId], how: 'subtree' }
    case 'delete':
      return { op: 'delete', nodeIds: op.nodeIds, how: op.how }
    case 'restore':
      return { op: 'restore', nodeIds: op.nodeIds }
    case 'meta':
      return { op: 'setMetadata', nodeId: op.nodeId, patch: toPatch(op.patch, namespacesSet(done, op.nodeId)) }
    default:
      return { ...op }
  }
}

/** On the wire `ext` is merged, so that what came new has to be taken away by name. */
function namespacesSet(done: readonly EditOp[], nodeId: string): string[] {
  return done.flatMap((op) => (op.op === 'meta' && op.nodeId === nodeId ? Object.keys(objectOr(op.patch.ext)) : []))
}

function toPatch({ rating, ext, ...rest }: Patch, namespaces: readonly string[]): Patch {
  const own = OWN_KEYS.filter((key) => Object.hasOwn(rest, key)).map((key) => [key, rest[key]] as const)
  const gone = ext === undefined ? [] : namespaces.map((name) => [name, null] as const)
  const merged = {
    ...Object.fromEntries(gone),
    ...objectOr(ext),
    ...(own.length > 0 && { [OWN_EXT]: Object.fromEntries(own) }),
  }
  return { ...(rating !== undefined && { rating }), ...(Object.keys(merged).length > 0 && { ext: merged }) }
}
