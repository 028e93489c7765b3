import type { Session } from '@treeline/store'
import type { OptionSpecs } from './args/command.ts'
import { findNode } from './node-of.ts'

export const leafOption = {
  leaf: { type: 'string', value: 'NODE', help: 'read from this node (id, part of an id, label, or `root` for none)' },
} as const satisfies OptionSpecs

/** The node that is meant, `null` (`root`) for above all of them; where none is named, where the session goes on. */
export function findLeaf(
  session: Pick<Session, 'tree' | 'leafId'>,
  text: string | undefined,
  name: string,
): string | null {
  if (text === undefined) return session.leafId
  // A node that is really called so is meant when there is one.
  if ((text === 'null' || text === 'root') && session.tree.ids.find(text) <= 0) return null
  return findNode(session, text, name)
}
