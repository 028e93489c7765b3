import { type EditRequestOp, ROOT, type Tree, TreelineError } from '@treeline/core'
import type { EditOp } from '@treeline/protocol'
import { isObject, type JsonObject, objectOr } from './json.ts'
import { OWN_EXT, OWN_KEYS } from './node-metadata.ts'

type OpOf<T extends EditOp['op']> = Extract<EditOp, { op: T }>
type Patch = Readonly<Record<string, unknown>>

export interface ReadOps {
  readonly operations: readonly EditRequestOp[]
  /** Which of the client's operations one of these comes from: one of theirs may be two of ours. */
  readonly indexOf: (opIndex: number) => number
}

/** What a client asks for, in core's words. Against the tree, because namespaces that are not named in `ext` stay. */
export function readEditOps(tree: Tree, ops: readonly EditOp[]): ReadOps {
  const read = ops.map((op, opIndex) => readEditOp(tree, op, opIndex, ops))
  const origins = read.flatMap((operations, opIndex) => operations.map(() => opIndex))
  return { operations: read.flat(), indexOf: (opIndex) => origins[opIndex] ?? opIndex }
}

function readEditOp(tree: Tree, op: EditOp, opIndex: number, ops: readonly EditOp[]): EditRequestOp[] {
  switch (op.op) {
    case 'setEnabled': {
      const { nodeIds, isEnabled, scope } = op
      return [{ op: isEnabled ? 'unmute' : 'mute', nodeIds, ...(scope && { scope }) }]
    }
    case 'setActiveLeaf': {
      const { leafId, resolve } = op
      return [{ op: 'leaf', leafId, ...(resolve && { resolve }) }]
    }
    case 'graft':
      return [readGraft(op, opIndex)]
    case 'setMetadata':
      return readMetadata(tree, op, opIndex, ops)
    case 'prune':
    case 'delete':
      return [defined(op)]
    case 'restore':
    case 'reorder':
      return [op]
    default:
      throw refusal('There is no such operation.', opIndex)
  }
}

function readGraft(op: OpOf<'graft'>, opIndex: number): EditRequestOp {
  if (op.idMap !== undefined && op.mode !== 'copy') {
    throw refusal('"idMap" gives the nodes of a copy their ids; what is moved keeps its own.', opIndex)
  }
  if (op.insertBetween && op.index !== undefined) {
    throw refusal('"index" has no meaning with "insertBetween": what is put between has no siblings.', opIndex)
  }
  return defined(op)
}

/** A label is an entry that other tools know; the rest, also what labels stand beside it, are values of the node. */
function readMetadata(
  tree: Tree,
  { nodeId, patch }: OpOf<'setMetadata'>,
  opIndex: number,
  ops: readonly EditOp[],
): EditRequestOp[] {
  const { labels, rating, ext } = patch
  const [label = null, ...others] = [...new Set(labels ?? [])].filter((text) => text !== '')
  const operations: EditRequestOp[] = []
  const values: Patch = {
    ...(rating !== undefined && { rating }),
    ...(ext !== undefined && readExt(tree, nodeId, ext, opIndex)),
    ...(labels !== undefined && readFurther(tree, nodeId, others, ops.slice(0, opIndex))),
  }
  if (Object.keys(values).length > 0) operations.push({ op: 'meta', nodeId, patch: values })
  if (labels !== undefined) operations.push({ op: 'label', nodeId, label })
  if (operations.length === 0) throw refusal('"patch" sets nothing.', opIndex)
  return operations
}

/**
 * Said only where there are such labels, or were, by what the same request asked for before it too: an edit that is nothing
 * but a label is one for other tools too.
 */
function readFurther(
  { ids, edits }: Tree,
  nodeId: string,
  labels: readonly string[],
  before: readonly EditOp[],
): Patch {
  const ref = ids.find(nodeId)
  const hasSome =
    (ref > ROOT && edits.meta.get(ref)?.has('labels') === true) ||
    before.some((op) => op.op === 'setMetadata' && op.nodeId === nodeId && op.patch.labels !== undefined)
  return labels.length === 0 && !hasSome ? {} : { labels: labels.length === 0 ? null : labels }
}

/** A merge patch over namespaces: each is replaced whole, but ours by its keys; `null` takes one away, or all of them. */
function readExt(tree: Tree, nodeId: string, ext: JsonObject | null, opIndex: number): Patch {
  const noneOwn = Object.fromEntries(OWN_KEYS.map((key) => [key, null]))
  if (ext === null) return { ext: null, ...noneOwn }
  const { [OWN_EXT]: own, ...others } = ext
  if (own !== undefined && own !== null && !isObject(own)) {
    throw refusal(`"ext.${OWN_EXT}" must be an object of ${OWN_KEYS.join(', ')}.`, opIndex)
  }
  const ref = tree.ids.find(nodeId)
  const before = ref > ROOT ? objectOr(tree.edits.meta.get(ref)?.get('ext')) : {}
  const after = Object.entries({ ...before, ...others }).filter(([, value]) => value !== null)
  return {
    ...(Object.keys(others).length > 0 && { ext: after.length === 0 ? null : Object.fromEntries(after) }),
    ...(own === null ? noneOwn : own),
  }
}

/** Core takes a field that is there and undefined for a wrong one. */
function defined<T extends EditOp>(op: T): EditRequestOp {
  return Object.fromEntries(Object.entries(op).filter(([, value]) => value !== undefined)) as unknown as EditRequestOp
}

function refusal(what: string, opIndex: number): TreelineError {
  return new TreelineError('validation_failed', `Operation ${opIndex + 1}: ${what}`, { opIndex })
}
