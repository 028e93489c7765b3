import type { LinkedEntry } from './flat-entry.ts'
import { type Links, linkEntries, NONE } from './links.ts'

/** The entries from the root to `branchId`, or none when there is no such entry (P12). Stops at a parent that is not there. */
export function buildConversationHistory<E extends LinkedEntry>(entries: readonly E[], branchId: string): E[] {
  const links = linkEntries(entries)
  const leaf = links.positionOf.get(branchId)
  return leaf === undefined ? [] : pathTo(links, leaf).map((position) => entries[position]!)
}

/**
 * The ids from the root to every entry without children, in entry order (P13). The answer itself grows with the number of
 * leaves times their depth; to list branches without their paths, ask the tree.
 */
export function getAllBranches(entries: readonly LinkedEntry[]): string[][] {
  const links = linkEntries(entries)
  const ids = entries.map(({ id }) => id)
  const branches: string[][] = []
  for (const position of links.positionOf.values()) {
    if (links.firstChild[position] === NONE) branches.push(pathTo(links, position).map((at) => ids[at]!))
  }
  return branches
}

function pathTo({ parent }: Links, leaf: number): number[] {
  const path: number[] = []
  for (let at = leaf; at !== NONE; at = parent[at]!) path.push(at)
  return path.reverse()
}
