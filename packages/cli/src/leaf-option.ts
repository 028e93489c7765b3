import type { Tree } from '@treeline/core'
import type { OptionSpecs } from './args/command.ts'
import { findNode } from './node-of.ts'

export const leafOption = {
  leaf: { type: 'string', value: 'NODE', help: 'read from this node (id, part of an id, label, or `root` for none)' },
} as const satisfies OptionSpecs

/** The node that is meant, `null` (`root`) for above all of them; where none is named, where the session goes on. */
export function findLeaf(tree: Tree, text: string | undefined, leafId: string | null): string | null {
  if (text === undefined) return leafId
  // A node that is really called so is meant when there is one.
  if ((text === 'null' || text === 'root') && tree.ids.find(text) <= 0) return null
  return findNode(tree, text, leafId)
}
