import { TreelineError } from '../errors.ts'
import { Flag, ROOT } from '../tree/columns.ts'
import { type EditContext, findNode, idOf, idOrNull, resolveNode, resolveNodes, touch } from './edit-context.ts'
import { isNamedByPerson } from './naming.ts'
import type { EditOp, OpOf, Patch } from './op.ts'

export function setMuted(context: EditContext, op: OpOf<'mute'> | OpOf<'unmute'>): EditOp[] {
  const { columns } = context.tree
  const mute = op.op === 'mute'
  const refs = resolveNodes(context, op.nodeIds)
  const changed = [...new Set(refs)].filter((ref) => columns.has(ref, Flag.muted) !== mute)
  for (const ref of changed) {
    columns.flags[ref]! ^= Flag.muted
    touch(context, ref, 'muted')
  }
  if (changed.length === 0) return []
  return [{ op: mute ? 'unmute' : 'mute', nodeIds: changed.map((ref) => idOf(context, ref)) }]
}

/** Goes on at another entry: a node, or a path entry such as a model change that stands below one. */
export function moveLeaf(context: EditContext, op: OpOf<'leaf'>): EditOp[] {
  const before = idOrNull(context, context.leaf)
  if (op.ifAt !== undefined && seatIdOf(context, op.ifAt) !== before) return []
  if (op.expect !== undefined && seatIdOf(context, op.expect) !== before) {
    throw new TreelineError('stale_node', 'The conversation has moved on since; the leaf was left where it is.', {
      nodeIds: before === null ? [] : [before],
    })
  }
  const leaf = op.leafId === null ? ROOT : resolveLeafEntry(context, op.leafId)
  if (leaf === context.leaf) return []
  context.leaf = leaf
  context.touched.add('leaf')
  return [{ op: 'leaf', leafId: before, expect: idOrNull(context, leaf) }]
}

/** Where a reader of the log has the leaf: not at a label or an edit, but at what that stands on (the leaf law). */
function resolveLeafEntry(context: EditContext, id: string): number {
  const { columns, ids } = context.tree
  const ref = ids.find(id)
  const seat = ref <= ROOT || !columns.has(ref, Flag.known) ? findNode(context, id) : columns.seatOf(ref)
  const node = columns.ownerOf(seat)
  if (node !== ROOT) resolveNode(context, idOf(context, node))
  if (!columns.isAttached(node)) {
    throw new TreelineError('node_detached', `Node ${id} is in the stash. Graft it back before going on from it.`, {
      nodeIds: [id],
    })
  }
  return seat
}

/** Older logs name a label or an edit as the leaf, which counts as what it stands on here too. */
function seatIdOf({ tree: { columns, ids } }: EditContext, id: string | null): string | null {
  const ref = id === null ? ROOT : ids.find(id)
  if (ref <= ROOT || !columns.has(ref, Flag.known)) return id
  const seat = columns.seatOf(ref)
  return seat === ROOT ? null : ids.textOf(seat)
}

export function patchMeta(context: EditContext, op: OpOf<'meta'>): EditOp[] {
  const { edits } = context.tree
  const ref = resolveNode(context, op.nodeId)
  const meta = edits.meta.get(ref) ?? new Map<string, unknown>()
  const inverse = applyPatch(meta, op.patch)
  if (meta.size === 0) edits.meta.delete(ref)
  else edits.meta.set(ref, meta)
  for (const key of Object.keys(op.patch)) context.touched.add(`meta:${ref}:${key}`)
  context.changed.add(ref)
  return [{ op: 'meta', nodeId: op.nodeId, patch: inverse }]
}

export function patchValues(context: EditContext, op: OpOf<'session'> | OpOf<'config'>): EditOp[] {
  const inverse = applyPatch(context.tree.edits[op.op], op.patch)
  for (const key of Object.keys(op.patch)) context.touched.add(`${op.op}:${key}`)
  return [{ op: op.op, patch: inverse }]
}

function applyPatch(values: Map<string, unknown>, patch: Patch): Patch {
  const before: [string, unknown][] = []
  for (const [key, value] of Object.entries(patch)) {
    before.push([key, values.get(key) ?? null])
    if (value === null || value === undefined) values.delete(key)
    else values.set(key, value)
  }
  return Object.fromEntries(before)
}

/** A label may stand on any entry; when read from a log even on one that is not there (other tools allow it). */
export function setLabel(context: EditContext, op: OpOf<'label'>): EditOp[] {
  const { labels } = context.tree.edits
  // As the tree keeps ids: half a character in one is U+FFFD there.
  const id = op.nodeId.toWellFormed()
  const before = labels.get(id)
  if (op.label === null || op.label === '') labels.delete(id)
  else labels.set(id, { label: op.label, at: op.at ?? context.at })
  context.touched.add(`label:${id}`)
  const ref = context.tree.ids.find(op.nodeId)
  if (ref > ROOT) context.changed.add(ref)
  return [{ op: 'label', nodeId: op.nodeId, label: before?.label ?? null, ...(before && { at: before.at }) }]
}

export function setName(context: EditContext, op: OpOf<'name'>): EditOp[] {
  const { edits } = context.tree
  const before = edits.name
  if (op.ifAuto && isNamedByPerson(edits)) return []
  edits.name = op.name === undefined ? undefined : op.name?.trim() || null
  context.touched.add('name')
  return [before === undefined ? { op: 'name' } : { op: 'name', name: before }]
}

export function noteAdded(context: EditContext, op: OpOf<'added'>): EditOp[] {
  for (const id of op.nodeIds) touch(context, resolveNode(context, id), 'place')
  return [{ op: 'delete', nodeIds: [...op.nodeIds].reverse(), how: 'subtree', leafOnly: true }]
}
