import {
  attachedLeaf,
  EDIT_TYPE,
  type EditData,
  type EditOp,
  type Entry,
  Flag,
  newEntryId,
  ROOT,
  type Tree,
} from '@treeline/core'
import type { Session } from '@treeline/store'

/**
 * What is muted, labelled, rated and set on a path that was written without its edits, as one edit that undo passes over.
 * Nothing when there is nothing to say.
 */
export function stateEdit(
  session: Session,
  tree: Tree,
  above: string | null,
  ids: ReadonlySet<string>,
): Entry | undefined {
  const ops: EditOp[] = []
  const { edits, columns } = tree
  const muted = [...ids].filter((id) => columns.has(tree.ids.find(id), Flag.muted))
  if (muted.length > 0) ops.push({ op: 'mute', nodeIds: muted })
  for (const id of ids) {
    const meta = edits.meta.get(tree.ids.find(id))
    if (meta !== undefined && meta.size > 0) ops.push({ op: 'meta', nodeId: id, patch: Object.fromEntries(meta) })
    const label = edits.labels.get(id.toWellFormed())
    if (label !== undefined) ops.push({ op: 'label', nodeId: id, label: label.label })
  }
  if (edits.session.size > 0) ops.push({ op: 'session', patch: Object.fromEntries(edits.session) })
  if (edits.config.size > 0) ops.push({ op: 'config', patch: Object.fromEntries(edits.config) })
  if (edits.name !== undefined) ops.push({ op: 'name', name: edits.name })
  return ops.length === 0 ? undefined : editEntry(session, above, ops)
}

/** Moves the leaf to where the path is to end; nothing when the log ends there by itself. */
export function leafEdit(session: Session, leaf: number): Entry | undefined {
  const { tree } = session
  if (leaf === attachedLeaf(tree)) return undefined
  const leafId = leaf === ROOT ? null : tree.ids.textOf(leaf)
  return editEntry(session, tree.anchorId(leaf), [{ op: 'leaf', leafId }])
}

function editEntry({ tree }: Session, parentId: string | null, ops: readonly EditOp[]): Entry {
  const id = newEntryId((taken) => tree.ids.find(taken) > 0)
  const data: EditData = { ops, inverse: [], auto: true }
  return { type: 'custom', id, parentId, timestamp: new Date().toISOString(), customType: EDIT_TYPE, data }
}
