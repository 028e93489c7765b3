import type { Entry } from '../entry/entry.ts'
import { EDIT_TYPE } from '../entry/kind.ts'
import { newEntryId, refuseId } from '../ids.ts'
import { ROOT } from '../tree/columns.ts'
import { attachedLeaf } from '../tree/leaf.ts'
import type { Tree } from '../tree/tree.ts'
import { applyOps } from './apply.ts'
import { type EditContext, idOrNull } from './edit-context.ts'
import { type Findings, normaliseOp } from './normalise.ts'
import type { EditData, EditOp, EditRequestOp } from './op.ts'
import { isOwn, ownEntry } from './own-entries.ts'
import { parseOps } from './parse-op.ts'
import { refuseStale } from './stale.ts'

export interface EditRequest {
  readonly operations: readonly EditRequestOp[]
  /** The version the caller looked at (C2). */
  readonly baseVersion?: number
  readonly by?: string
  readonly undoes?: string
  readonly auto?: boolean
  /** A client's own id, so that a retry is recognised (D3). */
  readonly id?: string
  /** Stands for what the client asked for, in its own words: by it a retry under that id is told from another request. */
  readonly asked?: string
  /** When it was made, ISO 8601; now by default. An import tells of what was long ago. */
  readonly at?: string
}

/** Where time and ids come from; tests give fixed ones. */
export interface EditSource {
  readonly now: () => string
  readonly newId: () => string
}

export interface EditWarning {
  readonly code: 'active_leaf_moved' | 'generating_in_fragment'
  readonly nodeIds: readonly string[]
  readonly detail: string
}

/** An edit that is known to fit: append `entry` and the tree will be so. Nothing has changed yet. */
export interface EditPlan {
  /** `undefined` when the request changes nothing. */
  readonly entry: Entry | undefined
  readonly operations: readonly EditOp[]
  readonly inverse: readonly EditOp[]
  readonly leafId: string | null
  readonly leafMoved: boolean
  readonly changedIds: readonly string[]
  /** Generations to cancel before or with the edit. */
  readonly cancelIds: readonly string[]
  readonly warnings: readonly EditWarning[]
}

export function defaultSource(tree: Tree): EditSource {
  return {
    now: () => new Date().toISOString(),
    newId: () => newEntryId((id) => tree.ids.find(id) > ROOT),
  }
}

/**
 * Validates an edit against the tree by carrying it out, and takes it back: what a caller appends is what was checked.
 * Throws a coded error that names the operation; the tree is the same afterwards either way.
 */
export function planEdit(
  tree: Tree,
  leaf: number,
  request: EditRequest,
  source: EditSource = defaultSource(tree),
  /** Called while the tree is as the edit would leave it. Looks, and neither changes anything nor waits. */
  look?: (plan: Omit<EditPlan, 'entry'>) => void,
): EditPlan {
  const requested = parseOps(request.operations)
  const findings: Findings = { cancel: new Set(), generatingInFragment: new Set() }
  const id = request.id ?? source.newId()
  if (request.id !== undefined) refuseId(tree, request.id, false)
  const timestamp = request.at ?? source.now()
  const context: EditContext = {
    tree,
    opId: id,
    at: timestamp,
    line: tree.heads.count === 0 ? 1 : tree.heads.line[tree.heads.count - 1]! + 1,
    leaf: attachedLeaf(tree, leaf),
    changed: new Set(),
    touched: new Set(),
  }
  const before = context.leaf
  const operations: EditOp[] = []
  function* normalised(): Generator<EditOp> {
    for (const op of requested) {
      const plain = normaliseOp(tree, context, op, findings, request.undoes === undefined ? source.newId : undefined)
      if (request.baseVersion !== undefined) refuseStale(context, plain, request.baseVersion)
      operations.push(plain)
      yield plain
    }
  }
  const { inverse, takeBack } = applyOps(context, normalised())
  const after = context.leaf
  const leafId = idOrNull(context, after)
  const stored: EditOp[] = operations.filter((op) => op.op !== 'leaf')
  // Said once, as it turned out, also for a leaf that moved as a side effect: a copy has no line to hang under.
  if (after !== before) stored.push({ op: 'leaf', leafId })
  const parentId = anchorOf(tree, after, id)
  const changedIds = [...context.changed].filter((ref) => ref !== ROOT).map((ref) => tree.ids.textOf(ref))
  const warnings = listWarnings(tree, findings, operations, before !== after, leafId)
  context.touched.delete('leaf')
  const changesNothing = before === after && context.touched.size === 0
  const plan = {
    operations: stored,
    inverse,
    leafId,
    leafMoved: before !== after,
    changedIds,
    cancelIds: [...findings.cancel].map((ref) => tree.ids.textOf(ref)),
    warnings,
  }
  try {
    look?.(plan)
  } finally {
    takeBack()
  }
  const head = { id, parentId, timestamp }
  return { entry: changesNothing ? undefined : toEntry(head, stored, inverse, request), ...plan }
}

/** What an edit's line hangs under: its leaf, and of a leaf that the edit itself makes, a copy, what that hangs under. */
function anchorOf(tree: Tree, leaf: number, editId: string): string | null {
  let at = leaf
  while (tree.anchorId(at) === editId) at = tree.columns.parent[at]!
  return tree.anchorId(at)
}

/** One line: a `label` or `session_info` entry where other tools have a word for it, else a `treeline/edit`. */
function toEntry(
  head: Pick<Entry, 'id' | 'parentId' | 'timestamp'>,
  ops: readonly EditOp[],
  inverse: readonly EditOp[],
  { by, undoes, auto, asked }: EditRequest,
): Entry {
  const origin = {
    ...(by !== undefined && { by }),
    ...(undoes !== undefined && { undoes }),
    ...(auto && { auto }),
    ...(asked !== undefined && { asked }),
  }
  const [only] = ops
  if (ops.length === 1 && isOwn(only!)) return ownEntry(head, only, inverse, origin)
  const data: EditData = { ops, inverse, ...origin }
  return { type: 'custom', ...head, customType: EDIT_TYPE, data }
}

function listWarnings(
  tree: Tree,
  findings: Findings,
  ops: readonly EditOp[],
  leafMoved: boolean,
  leafId: string | null,
): EditWarning[] {
  const warnings: EditWarning[] = []
  if (leafMoved && !ops.some((op) => op.op === 'leaf')) {
    const detail = leafId === null ? 'The conversation starts over.' : `The conversation now goes on from ${leafId}.`
    warnings.push({ code: 'active_leaf_moved', nodeIds: leafId === null ? [] : [leafId], detail })
  }
  const generating = [...findings.generatingInFragment].map((ref) => tree.ids.textOf(ref))
  if (generating.length > 0) {
    const detail = 'These answers go on being written inside the stash.'
    warnings.push({ code: 'generating_in_fragment', nodeIds: generating, detail })
  }
  return warnings
}
