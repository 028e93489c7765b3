import { type EditSource, type Entry, type EntryDraft, Flag, planLeafAfter, ROOT, type Tree } from '@treeline/core'

/**
 * `move`: the leaf goes to the new entry. `stay`: it stays where it is when the entry is written. `ifAt`: it goes there
 * only from that node; whoever has gone elsewhere meanwhile stays there. Where that is the parent too, the entry hangs
 * under what was said of it since, a change of model for instance.
 */
export type LeafMove = 'move' | 'stay' | { readonly ifAt: string | null }

interface Start {
  readonly parentId: string | null
  /** Where the leaf has to be afterwards, if it is not to go to the end of the chain. */
  readonly leafAfter?: string | null
}

/** Where a chain of new entries begins. */
export function startAt(
  tree: Tree,
  leaf: number,
  drafts: readonly EntryDraft[],
  {
    parentId,
    leaf: move = 'move',
  }: { readonly parentId?: string | null | undefined; readonly leaf?: LeafMove | undefined },
): Start {
  const leafId = leaf === ROOT ? null : tree.ids.textOf(leaf)
  const start: Start = { parentId: parentId === undefined ? leafId : parentId }
  if (move === 'move') return start
  if (move === 'stay') return { ...start, leafAfter: leafId }
  // The announcement of an answer, or an attempt of which a part was written, has brought it into the chain already.
  const isInChain = leafId !== null && drafts.some(({ id }) => id === leafId)
  if (isInChain) return start
  if (!isAt(tree, leaf, move.ifAt)) return { ...start, leafAfter: leafId }
  return isAt(tree, leaf, start.parentId) ? { parentId: leafId } : start
}

/** Also where something that is no node hangs between. */
function isAt({ ids, columns }: Tree, leaf: number, nodeId: string | null): boolean {
  const ref = nodeId === null ? ROOT : ids.find(nodeId)
  if (ref === leaf) return true
  if (leaf === ROOT || ref < ROOT || (ref > ROOT && !columns.has(ref, Flag.known))) return false
  return columns.ownerOf(leaf) === (ref === ROOT ? ROOT : columns.ownerOf(ref))
}

/** The line that sets the leaf back. An answer that the chain itself has ended has a line of its own to hang under. */
export function leafBack(tree: Tree, leafId: string | null, taken: ReadonlySet<string>, source: EditSource): Entry {
  const line = planLeafAfter(tree, leafId, source)
  return leafId !== null && taken.has(leafId) ? { ...line, parentId: leafId } : line
}
