import { deriveEntryId } from '@treeline/core'

/** Longer ones are no names for anything. */
const MAX_ID_CHARS = 1024

/** Ids are compared as bytes of UTF-8, in which half a surrogate pair has none of its own. */
export function isUsableId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID_CHARS && id.isWellFormed()
}

/** An id for the n-th record of a session, the same at every reading of a file that only grows. */
export function freeId(sessionId: string, number: number, isTaken: (id: string) => boolean): string {
  for (let salt = ''; ; salt += '+') {
    const id = deriveEntryId(sessionId + salt, number)
    if (!isTaken(id)) return id
  }
}

/** The first record of every ring of parents, by position. Each record is walked over once. */
export function findRings(
  records: readonly { readonly id: string; readonly parentId: string | null }[],
): ReadonlySet<number> {
  const positions = new Map(records.map(({ id }, position) => [id, position]))
  const parents = Int32Array.from(records, ({ parentId }) => (parentId === null ? -1 : (positions.get(parentId) ?? -1)))
  const walk = new Int32Array(records.length)
  const firsts = new Set<number>()
  for (let start = 0; start < records.length; start++) {
    let at = start
    for (; at >= 0 && walk[at] === 0; at = parents[at]!) walk[at] = start + 1
    // This very walk has been here: a ring, which nothing else leads round again.
    if (at >= 0 && walk[at] === start + 1) firsts.add(firstOfRing(parents, at))
  }
  return firsts
}

function firstOfRing(parents: Int32Array, start: number): number {
  let first = start
  for (let at = parents[start]!; at !== start; at = parents[at]!) first = Math.min(first, at)
  return first
}
