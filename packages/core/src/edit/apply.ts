import { assertNever, TreelineError } from '../errors.ts'
import { deleteNodes, reorder, restoreNodes } from './delete-ops.ts'
import { type EditContext, idOrNull } from './edit-context.ts'
import { graft, uncopy } from './graft-ops.ts'
import type { EditOp } from './op.ts'
import { prune } from './stash-ops.ts'
import { moveLeaf, noteAdded, patchMeta, patchValues, setLabel, setMuted, setName } from './value-ops.ts'

/**
 * Applies operations one after the other and returns the operations that take them all back. All or nothing: when one
 * fails, those before it are taken back and the error says which one it was (D4). Operations may be made lazily, each
 * against the tree as the ones before it left it.
 */
export function applyOps(context: EditContext, ops: Iterable<EditOp>): Applied {
  const applied: { readonly op: EditOp; readonly inverse: readonly EditOp[] }[] = []
  const leafBefore = context.leaf
  context.tree.columns.fillIn()
  const { uncopied } = context.tree.edits
  const uncopiedBefore = [...uncopied]
  const takeAllBack = () => {
    // What an action added was there before the edit said so: undo takes it away, taking the edit back does not.
    for (const { op, inverse } of applied.toReversed()) if (op.op !== 'added') takeBack(context, inverse)
    context.leaf = leafBefore
    uncopied.clear()
    for (const [top, nodes] of uncopiedBefore) uncopied.set(top, nodes)
  }
  try {
    for (const op of ops) applied.push({ op, inverse: applyWithLeaf(context, op) })
  } catch (error) {
    takeAllBack()
    throw withOpIndex(error, applied.length)
  }
  return { inverse: applied.toReversed().flatMap(({ inverse }) => inverse), takeBack: takeAllBack }
}

export interface Applied {
  /** The operations that undo the edit. */
  readonly inverse: readonly EditOp[]
  /** Puts the tree back as if the edit had never been tried. */
  takeBack(): void
}

function takeBack(context: EditContext, inverse: readonly EditOp[]): void {
  for (const op of inverse) if (op.op !== 'leaf') applyOp(context, op)
}

/** An operation that moved the leaf as a side effect gets a step that moves it back, if it is still there by then. */
function applyWithLeaf(context: EditContext, op: EditOp): EditOp[] {
  const before = context.leaf
  const inverse = applyOp(context, op)
  if (context.leaf === before || op.op === 'leaf') return inverse
  const [leafId, ifAt] = [idOrNull(context, before), idOrNull(context, context.leaf)]
  return [...inverse, { op: 'leaf', leafId, ifAt }]
}

function applyOp(context: EditContext, op: EditOp): EditOp[] {
  switch (op.op) {
    case 'mute':
    case 'unmute':
      return setMuted(context, op)
    case 'prune':
      return prune(context, op)
    case 'graft':
      return graft(context, op)
    case 'uncopy':
      return uncopy(context, op)
    case 'delete':
      return deleteNodes(context, op)
    case 'restore':
      return restoreNodes(context, op)
    case 'reorder':
      return reorder(context, op)
    case 'leaf':
      return moveLeaf(context, op)
    case 'meta':
      return patchMeta(context, op)
    case 'session':
    case 'config':
      return patchValues(context, op)
    case 'label':
      return setLabel(context, op)
    case 'name':
      return setName(context, op)
    case 'added':
      return noteAdded(context, op)
    default:
      return assertNever(op)
  }
}

function withOpIndex(error: unknown, opIndex: number): unknown {
  if (!(error instanceof TreelineError)) return error
  return new TreelineError(error.code, error.message, { opIndex, ...error.details }, { cause: error })
}
