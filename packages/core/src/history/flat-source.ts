import type { TreeSource } from '../preview/ascii-tree.ts'
import type { FlatEntry } from './flat-entry.ts'
import { linkEntries, NONE } from './links.ts'

/** Flat entries as a tree to be drawn (P22, P26). Entries whose parent is missing are shown as roots, not hidden. */
export function flatSource(entries: readonly FlatEntry[]): TreeSource<number> {
  const { roots, firstChild, nextSibling } = linkEntries(entries)
  return {
    roots,
    children: (position) => {
      const children: number[] = []
      for (let at = firstChild[position]!; at !== NONE; at = nextSibling[at]!) children.push(at)
      return children
    },
    id: (position) => entries[position]!.id,
    type: (position) => entries[position]!.type,
    text: (position) => entries[position]!.content,
  }
}
