import type { Entry } from '../entry/entry.ts'
import { EDIT_TYPE } from '../entry/kind.ts'
import { TreelineError } from '../errors.ts'
import { refuseId } from '../ids.ts'
import { Flag, ROOT } from '../tree/columns.ts'
import type { Tree } from '../tree/tree.ts'
import type { EditOp } from './op.ts'
import { defaultSource, type EditSource } from './plan.ts'

/** An entry as its writer knows it; id, parent and time are filled in. */
export type EntryDraft = { readonly type: string; readonly id?: string; readonly [field: string]: unknown }

export interface AppendRequest {
  /** Explicit: `null` is a new root (X27). */
  readonly parentId: string | null
  readonly draft: EntryDraft
  /** Given when the entry must not move the leaf: where it has to be afterwards. */
  readonly leafAfter?: string | null
}

/**
 * The lines that put a new entry under a parent, to be written together: the entry itself, a graft when the parent is a
 * copy (which has no line of its own to name), and a step back when the leaf has to stay elsewhere.
 */
export function planAppend(tree: Tree, request: AppendRequest, source: EditSource = defaultSource(tree)): Entry[] {
  const parent = resolveParentEntry(tree, request.parentId)
  const id = request.draft.id ?? source.newId()
  if (request.draft.id !== undefined) refuseId(tree, id)
  const timestamp = source.now()
  const { type, id: _, ...fields } = request.draft
  const entries: Entry[] = [{ type, id, parentId: tree.anchorId(parent), timestamp, ...fields }]
  const edit = (parentId: string | null, ops: readonly EditOp[]): Entry => ({
    type: 'custom',
    id: source.newId(),
    parentId,
    timestamp,
    customType: EDIT_TYPE,
    data: { ops, inverse: [], auto: true },
  })
  const { columns, ids } = tree
  if (columns.has(parent, Flag.copy) && columns.ownerOf(ids.find(tree.anchorId(parent) as string)) !== parent) {
    entries.push(edit(id, [{ op: 'graft', sourceId: id, targetId: request.parentId, mode: 'move' }]))
  }
  if (request.leafAfter !== undefined && request.leafAfter !== id) {
    const leaf = findEntry(tree, request.leafAfter)
    entries.push(edit(tree.anchorId(leaf), [{ op: 'leaf', leafId: request.leafAfter }]))
  }
  return entries
}

function findEntry(tree: Tree, id: string | null): number {
  if (id === null) return ROOT
  const ref = tree.ids.find(id)
  if (ref > ROOT && tree.columns.has(ref, Flag.known)) return ref
  throw new TreelineError('node_not_found', `There is no entry ${id} in this session to go on from.`, { nodeIds: [id] })
}

function resolveParentEntry(tree: Tree, id: string | null): number {
  const ref = findEntry(tree, id)
  if (id === null) return ROOT
  const nodeIds = [id]
  if (tree.columns.has(tree.columns.topOf(tree.columns.ownerOf(ref)), Flag.deleted)) {
    throw new TreelineError('node_not_found', `Node ${id} is deleted. Restore it first.`, { nodeIds })
  }
  if (tree.columns.has(ref, Flag.generating)) {
    throw new TreelineError('parent_generating', `Node ${id} is still being generated. Wait for it or cancel it.`, {
      nodeIds,
    })
  }
  return ref
}
