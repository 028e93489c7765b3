import { Flag, ROOT, type Tree } from '@treeline/core'

/** Ids up to this length are shown whole. */
const WHOLE_CHARS = 12
const MIN_CHARS = 8
const STEP = 4

/**
 * How ids of nodes are shown: whole, or where they are long by their end, as long as it takes for every one of them to be
 * understood by `findNode`.
 */
export function shortIds(tree: Tree): (id: string) => string {
  const ids = nodeIds(tree)
  const longest = ids.reduce((chars, id) => Math.max(chars, id.length), 0)
  if (longest <= WHOLE_CHARS) return (id) => id
  for (let chars = MIN_CHARS; chars < longest; chars += STEP) {
    if (tellsApart(ids, chars)) return (id) => id.slice(-chars)
  }
  return (id) => id
}

function nodeIds({ columns, ids }: Tree): string[] {
  const found: string[] = []
  for (let ref = ROOT + 1; ref < ids.count; ref++) {
    if (columns.has(ref, Flag.known) && columns.has(ref, Flag.node)) found.push(ids.textOf(ref))
  }
  return found
}

/** Whether no end of that length is the end or the beginning of another id. */
function tellsApart(ids: readonly string[], chars: number): boolean {
  const ends = new Set(ids.map((id) => id.slice(-chars)))
  return ends.size === ids.length && !ids.some((id) => id.length > chars && ends.has(id.slice(0, chars)))
}
