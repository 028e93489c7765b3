import type { LinkedEntry } from './flat-entry.ts'

/** No entry, as a position. */
export const NONE = -1

/** How a list of entries hangs together, by position, made in one pass over it (X37). */
export interface Links {
  /** Where an id stands first; later entries of the same id are left out. */
  readonly positionOf: ReadonlyMap<string, number>
  /** Position of the parent; NONE for a root, an unknown parent, and where a ring was cut. */
  readonly parent: Int32Array
  /** Children in entry order, as a chain: the first child, then the next sibling of each. */
  readonly firstChild: Int32Array
  readonly nextSibling: Int32Array
  /** In entry order. */
  readonly roots: readonly number[]
}

/** Any list will do: unknown parents make roots, and a ring of parents is cut at its first entry, as in a tree (G1). */
export function linkEntries(entries: readonly LinkedEntry[]): Links {
  const positionOf = new Map<string, number>()
  const parentIds: (string | null | undefined)[] = []
  entries.forEach(({ id, parentId }, position) => {
    if (!positionOf.has(id)) positionOf.set(id, position)
    parentIds.push(parentId)
  })
  const positions = [...positionOf.values()]
  const parent = new Int32Array(entries.length).fill(NONE)
  for (const position of positions) {
    const parentId = parentIds[position]
    if (parentId) parent[position] = positionOf.get(parentId) ?? NONE
  }
  cutRings(parent, positions)

  const firstChild = new Int32Array(entries.length).fill(NONE)
  const nextSibling = new Int32Array(entries.length).fill(NONE)
  const roots: number[] = []
  for (const position of positions.reverse()) {
    const above = parent[position]!
    if (above === NONE) roots.push(position)
    else {
      nextSibling[position] = firstChild[above]!
      firstChild[above] = position
    }
  }
  return { positionOf, parent, firstChild, nextSibling, roots: roots.reverse() }
}

/** Walks up from every entry, never twice over the same one; a walk that meets itself has found a ring. */
function cutRings(parent: Int32Array, positions: readonly number[]): void {
  const walkOf = new Int32Array(parent.length).fill(NONE)
  for (const start of positions) {
    let at = start
    while (at !== NONE && walkOf[at] === NONE) {
      walkOf[at] = start
      at = parent[at]!
    }
    if (at !== NONE && walkOf[at] === start) parent[firstOfRing(parent, at)] = NONE
  }
}

function firstOfRing(parent: Int32Array, within: number): number {
  let first = within
  for (let at = parent[within]!; at !== within; at = parent[at]!) first = Math.min(first, at)
  return first
}
