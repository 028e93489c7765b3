import { attachedLeaf, attachedNodes, Flag, nodePath, ROOT, type Tree } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { WriteOptions } from '../format.ts'
import type { FormatNote } from '../note.ts'
import { unknownNode } from './full-entry.ts'

/** What of a session is to be written, as refs of its tree. */
export interface Chosen {
  readonly tree: Tree
  /** The entry at which the path ends, ROOT for none. */
  readonly leaf: number
  /** The nodes of the path, root first. */
  readonly trunk: readonly number[]
  /** Every node that is asked for, parents first. */
  readonly nodes: readonly number[]
  readonly withBranches: boolean
}

/** Throws `node_not_found` for a leaf that is not there. One in the stash counts as where it was cut off. */
export function chooseNodes(session: Session, options: WriteOptions, notes: FormatNote[]): Chosen {
  const { tree } = session
  const leafId = options.leafId === undefined ? session.leafId : options.leafId
  const asked = leafId === null ? ROOT : tree.ids.find(leafId)
  if (leafId !== null && !(asked > ROOT && tree.columns.has(asked, Flag.known))) throw unknownNode(leafId)
  const leaf = attachedLeaf(tree, asked)
  if (leaf !== asked) {
    const message = `${leafId} is not in the tree any more: the path ends where it was cut off.`
    notes.push({ kind: 'info', message, ...(leafId !== null && { id: leafId }) })
  }
  const trunk = nodePath(tree, leaf)
  const withBranches = options.branches !== 'trunk'
  return { tree, leaf, trunk, nodes: withBranches ? [...attachedNodes(tree)] : trunk, withBranches }
}

export function idOf(tree: Tree, ref: number): string | null {
  return ref > ROOT ? tree.ids.textOf(ref) : null
}
