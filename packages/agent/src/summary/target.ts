import { Flag, ROOT, type Tree, TreelineError } from '@treeline/core'
import type { AppendOptions, Session } from '@treeline/store'

/** An entry that the conversation can go on from; ROOT for a new start. */
export interface Target {
  readonly id: string | null
  readonly ref: number
}

/** Throws where the leaf cannot be: an entry that is unknown, deleted or in the stash. */
export function findTarget(tree: Tree, toId: string | null): Target {
  if (toId === null) return { id: null, ref: ROOT }
  const { columns, ids } = tree
  const nodeIds = [toId]
  const found = ids.find(toId)
  if (found <= ROOT || !columns.has(found, Flag.known)) {
    throw new TreelineError('node_not_found', `There is no entry ${toId} in this session to go on from.`, { nodeIds })
  }
  const ref = columns.seatOf(found)
  const top = columns.topOf(columns.ownerOf(ref))
  if (columns.has(top, Flag.deleted)) {
    throw new TreelineError('node_not_found', `Node ${toId} is deleted. Restore it first.`, { nodeIds })
  }
  if (!columns.isAttached(top)) {
    const message = `Node ${toId} is in the stash. Graft it back before going on from it.`
    throw new TreelineError('node_detached', message, { nodeIds })
  }
  return { id: ref === ROOT ? null : ids.textOf(ref), ref }
}

/** Whether a leaf is at a target, or at the node itself with a change of model or the like below it. */
export function isAt(tree: Tree, leaf: number, { ref }: Target): boolean {
  return leaf === ref || (tree.columns.has(ref, Flag.node) && tree.columns.ownerOf(leaf) === ref)
}

export function leafRef(tree: Tree, leafId: string | null): number {
  return leafId === null ? ROOT : Math.max(ROOT, tree.ids.find(leafId))
}

/**
 * For what took a while to write: the leaf goes there from where it was, or from further down the same branch. Whoever has
 * gone elsewhere meanwhile stays.
 */
export function moveFrom({ tree, leafId }: Session, fromId: string | null): AppendOptions['leaf'] {
  if (leafId === fromId) return { ifAt: leafId }
  const { columns } = tree
  const from = columns.ownerOf(leafRef(tree, fromId))
  const isFurther = from !== ROOT && columns.isWithin(columns.ownerOf(leafRef(tree, leafId)), from)
  return isFurther ? { ifAt: leafId } : 'stay'
}

/** Nothing can be written under an answer that is still being written, so nobody should pay for the text first. */
export function refuseGenerating(tree: Tree, { ref, id }: Target): void {
  if (id === null || !tree.columns.has(ref, Flag.generating)) return
  const message = `Node ${id} is still being generated. Wait for it or cancel it.`
  throw new TreelineError('parent_generating', message, { nodeIds: [id] })
}
