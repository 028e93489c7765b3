import { Flag, type Tree, TreelineError } from '@treeline/core'
import { findNode } from '../../wire/event-nodes.ts'

/** A node of the tree or of the stash. One that was deleted is none, until it is restored. */
export function refOfNode(tree: Tree, id: string): number {
  const ref = findLiving(tree, id)
  if (ref !== undefined) return ref
  throw new TreelineError('node_not_found', `There is no node ${id} in this session.`, { nodeIds: [id] })
}

export function findLiving(tree: Tree, id: string): number | undefined {
  const ref = findNode(tree, id)
  return ref === undefined || isDeleted(tree, ref) ? undefined : ref
}

function isDeleted({ columns, edits }: Tree, ref: number): boolean {
  return edits.deleted.size > 0 && columns.has(columns.topOf(ref), Flag.deleted)
}
