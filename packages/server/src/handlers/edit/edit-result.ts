import { type EditOp, type EditPlan, Flag, ROOT, type Tree } from '@treeline/core'
import type { EditResult, Warning } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import { findNode, toEventNodes } from '../../wire/event-nodes.ts'
import { fragmentsAmong } from '../../wire/pruned-fragments.ts'
import { toInverse } from '../../wire/to-edit-op.ts'
import { activeLeafOf } from '../../wire/tree-head.ts'
import { type BodyOf, withBodies } from '../../wire/with-bodies.ts'

/** What an edit did, of a plan or of what is in the log. */
export interface EditDone extends Pick<EditPlan, 'operations' | 'inverse' | 'changedIds'> {
  readonly warnings: readonly (Omit<Warning, 'nodeIds'> & { readonly nodeIds: readonly string[] })[]
}

/** Where the session is with it. */
type EditState = Pick<EditResult, 'version' | 'opId' | 'activeLeafId'>

/** So many nodes are given whole. The others a client asks for, or hears of by the event. */
const MAX_CHANGED = 1_000

/** The answer to an edit that is in the log, with the nodes as they are now. */
export function readResult(session: Session, done: EditDone, opId: string | null): Promise<EditResult> {
  return withBodies(
    session,
    (tree) => shownOf(tree, done),
    (tree, bodyOf) => toResult(tree, done, { version: session.seq, opId, activeLeafId: activeLeafOf(session) }, bodyOf),
  )
}

/** Looks at the tree as the edit left it, or would. `bodyOf` knows those of `shownOf`. */
export function toResult(tree: Tree, done: EditDone, state: EditState, bodyOf: BodyOf): EditResult {
  const { operations, inverse, changedIds, warnings } = done
  const living = livingOf(tree, changedIds)
  const shown = living.slice(0, MAX_CHANGED)
  const idMap = idMapOf(operations)
  return {
    ...state,
    changed: toEventNodes(tree, shown, bodyOf),
    deletedIds: deletedOf(tree, operations, changedIds),
    fragments: fragmentsAmong(
      tree,
      shown.map((id) => tree.ids.find(id)),
      bodyOf,
    ),
    inverse: toInverse({ operations, inverse }),
    ...(idMap !== undefined && { idMap }),
    warnings: [...warnings.map(({ nodeIds, ...rest }) => ({ ...rest, nodeIds: [...nodeIds] })), ...cutOf(living)],
  }
}

/** The nodes that are given whole. */
export function shownOf(tree: Tree, { changedIds }: Pick<EditDone, 'changedIds'>): string[] {
  return livingOf(tree, changedIds).slice(0, MAX_CHANGED)
}

function livingOf(tree: Tree, changedIds: readonly string[]): string[] {
  const { columns, edits } = tree
  const isThere = (ref: number) => edits.deleted.size === 0 || !columns.has(columns.topOf(ref), Flag.deleted)
  return changedIds.filter((id) => {
    const ref = findNode(tree, id)
    return ref !== undefined && isThere(ref)
  })
}

function cutOf(living: readonly string[]): EditResult['warnings'] {
  if (living.length <= MAX_CHANGED) return []
  const detail = `${living.length} nodes have changed. The first ${MAX_CHANGED} are listed; read the tree for the others.`
  return [{ code: 'changed_cut', nodeIds: [], detail }]
}

/** With what hung under them; and copies that an undo has taken away. */
function deletedOf(tree: Tree, operations: readonly EditOp[], changedIds: readonly string[]): string[] {
  if (!operations.some(({ op }) => op === 'delete' || op === 'uncopy')) return []
  const { columns, ids } = tree
  return changedIds.flatMap((id) => {
    const ref = ids.find(id)
    if (ref <= ROOT || !columns.has(ref, Flag.known)) return [id]
    return columns.has(ref, Flag.deleted) ? [...columns.subtree(ref)].map((one) => ids.textOf(one)) : []
  })
}

function idMapOf(operations: readonly EditOp[]): Record<string, string> | undefined {
  const pairs = operations.flatMap((op) =>
    op.op === 'graft' && op.mode === 'copy' ? Object.entries(op.idMap ?? {}) : [],
  )
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs)
}
