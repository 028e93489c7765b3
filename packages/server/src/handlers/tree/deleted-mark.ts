import type { Tree } from '@treeline/core'
import type { ListOptions } from '../../wire/list-nodes.ts'

const NONE = {}
const DELETED = { deleted: true } as const

/** Marks deleted nodes where they are asked for: nothing else about them says so. */
export function deletedMark(
  { columns, edits }: Tree,
  { deleted }: Required<ListOptions>,
): (ref: number) => { readonly deleted?: true } {
  if (!deleted || edits.deleted.size === 0) return () => NONE
  const refs = new Set<number>()
  for (const top of edits.deleted.keys()) for (const ref of columns.subtree(top)) refs.add(ref)
  return (ref) => (refs.has(ref) ? DELETED : NONE)
}
