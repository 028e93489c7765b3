import { TreelineError } from '../errors.ts'
import type { Tree } from '../tree/tree.ts'
import { parseOps } from './parse-op.ts'
import { defaultSource, type EditPlan, type EditSource, planEdit } from './plan.ts'
import type { EditRecord } from './state.ts'

export interface UndoRequest {
  /** The edit to take back; without it, the caller's own latest one. */
  readonly editId?: string
  readonly by?: string
  readonly id?: string
  /** The version the caller looked at (C2). */
  readonly baseVersion?: number
}

/** Plans the edit that takes another one back. Refused when something it changed has been changed again since. */
export function planUndo(
  tree: Tree,
  leaf: number,
  request: UndoRequest = {},
  source: EditSource = defaultSource(tree),
): EditPlan {
  const record = request.editId === undefined ? latestEdit(tree, request.by) : findEdit(tree, request.editId)
  if (record === undefined) throw new TreelineError('nothing_to_undo', 'There is no edit of yours left to undo.')
  return planTakingBack(tree, leaf, record, request, source)
}

/** Plans the edit that takes the caller's latest undo back, as long as no other edit came after it. */
export function planRedo(
  tree: Tree,
  leaf: number,
  request: Omit<UndoRequest, 'editId'> = {},
  source: EditSource = defaultSource(tree),
): EditPlan {
  const record = latestUndo(tree, request.by)
  if (record === undefined) throw new TreelineError('nothing_to_undo', 'There is no undo of yours left to redo.')
  return planTakingBack(tree, leaf, record, request, source)
}

function planTakingBack(
  tree: Tree,
  leaf: number,
  record: EditRecord,
  request: UndoRequest,
  source: EditSource,
): EditPlan {
  if (isUndone(record)) throw new TreelineError('nothing_to_undo', `Edit ${record.id} is already undone.`)
  const changed = record.touched.filter(({ value, after }) => (tree.edits.stamps.get(value) ?? 0) !== after)
  if (changed.length > 0) {
    const message = `Edit ${record.id} cannot be undone: what it changed has been changed again since.`
    throw new TreelineError('stale_node', message, {
      nodeIds: touchedIds(
        tree,
        changed.map(({ value }) => value),
      ),
    })
  }
  const { by, id, baseVersion } = request
  const origin = { ...(by !== undefined && { by }), ...(id !== undefined && { id }) }
  const operations = parseOps(record.inverse).map((op) =>
    op.op === 'delete' ? { ...op, onGenerating: 'cancel' as const } : op,
  )
  return planEdit(
    tree,
    leaf,
    { operations, undoes: record.id, ...origin, ...(baseVersion !== undefined && { baseVersion }) },
    source,
  )
}

function latestEdit(tree: Tree, by: string | undefined): EditRecord | undefined {
  return tree.edits.records.findLast((r) => r.by === by && !r.auto && r.undoes === undefined && !isUndone(r))
}

function latestUndo(tree: Tree, by: string | undefined): EditRecord | undefined {
  for (const record of tree.edits.records.toReversed()) {
    if (record.by !== by || record.auto || isUndone(record)) continue
    if (record.undoes === undefined) return undefined
    const target = tree.edits.recordById.get(record.undoes)
    if (target?.undoes === undefined) return record
  }
  return undefined
}

/** Off while an edit that takes it back is on. Each is taken back by a later line, so this ends. */
function isUndone(record: EditRecord): boolean {
  let off = false
  for (let by = record.undoneBy; by !== undefined; by = by.undoneBy) off = !off
  return off
}

function findEdit(tree: Tree, id: string): EditRecord {
  const record = tree.edits.recordById.get(id)
  if (record === undefined) throw new TreelineError('node_not_found', `There is no edit ${id} in this session.`)
  return record
}

function touchedIds(tree: Tree, values: readonly string[]): string[] {
  const refs = values.map((value) => Number(/^(?:place|order|muted|meta):(\d+)/.exec(value)?.[1] ?? 0))
  return [...new Set(refs)].filter((ref) => ref > 0).map((ref) => tree.ids.textOf(ref))
}
