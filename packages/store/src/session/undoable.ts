import { EDIT_TYPE, type EditOp, type EditSource, type Entry, Flag, ROOT, type Tree } from '@treeline/core'

export interface Undoable {
  /** Who may undo it without naming it. */
  readonly by?: string | undefined
  /** What an undo does with nodes that hang under them by then: `splice` moves them up, `refuse` keeps all as it is. */
  readonly children: 'splice' | 'refuse'
  /** Muted with it, and unmuted when it is undone. Those that are gone by then are passed over. */
  readonly mute?: readonly string[] | undefined
  /** What hangs under the parent moves under the last of them; an undo that splices moves it back. */
  readonly adopt?: boolean | undefined
}

interface Added {
  /** What the line hangs under. */
  readonly above: string | null
  /** What the chain was put under; `undefined` for the rest of one that was begun earlier. */
  readonly under: string | null | undefined
  /** Where the chain ends. */
  readonly seat: string | null
  /** Where the leaf came from; `undefined` when it did not move. */
  readonly from: string | null | undefined
}

/**
 * Those that no edit has said anything of: a retry finds the line that made them undoable (D3), and writes it when a
 * crash has lost it (D4).
 */
export function unnoted({ ids, edits }: Tree, nodes: readonly Entry[]): readonly Entry[] {
  return nodes.filter(({ id }) => !edits.stamps.has(`place:${ids.find(id)}`))
}

/** Says that nodes were added by one action. What takes them away again has to bring the leaf back with its path. */
export function addedLine(
  tree: Tree,
  nodes: readonly Entry[],
  { above, under, seat, from }: Added,
  { by, children, mute = [], adopt = false }: Undoable,
  source: EditSource,
): Entry {
  const nodeIds = nodes.map(({ id }) => id)
  const how = children === 'splice' ? ({ how: 'splice' } as const) : ({ how: 'subtree', leafOnly: true } as const)
  const inverse: EditOp[] = [{ op: 'delete', nodeIds: nodeIds.toReversed(), ...how }]
  // Only from the end of the chain: whoever undoes it from elsewhere stays there.
  const isCut = typeof from === 'string' && nodeIds.includes(from)
  if (from !== undefined && !isCut) inverse.unshift({ op: 'leaf', leafId: from, ifAt: seat })
  // A leaf that is cut off falls to the node above, past a change of model that stood between.
  const owner = typeof under === 'string' ? ownerOf(tree, under) : null
  if (typeof under === 'string' && owner !== under) inverse.push({ op: 'leaf', leafId: under, ifAt: owner })
  const ops: EditOp[] = [{ op: 'added', nodeIds }]
  const targetId = nodeIds.at(-1)!
  if (adopt) for (const sourceId of childrenOf(tree, under)) ops.push({ op: 'graft', sourceId, targetId, mode: 'move' })
  const muted = mute.filter((id) => isUnmuted(tree, id))
  if (muted.length > 0) {
    ops.push({ op: 'mute', nodeIds: muted })
    inverse.push({ op: 'unmute', nodeIds: muted })
  }
  const data = { ops, inverse, ...(by !== undefined && { by }) }
  return { type: 'custom', id: source.newId(), parentId: above, timestamp: source.now(), customType: EDIT_TYPE, data }
}

function childrenOf({ ids, columns }: Tree, parentId: string | null | undefined): string[] {
  if (parentId === undefined) return []
  const parent = parentId === null ? ROOT : columns.ownerOf(ids.find(parentId))
  return columns.children(parent).map((ref) => ids.textOf(ref))
}

function isUnmuted({ ids, columns }: Tree, id: string): boolean {
  const ref = ids.find(id)
  if (ref <= ROOT || !columns.has(ref, Flag.node) || columns.has(ref, Flag.muted)) return false
  return !columns.has(columns.topOf(ref), Flag.deleted)
}

function ownerOf({ ids, columns }: Tree, id: string): string | null {
  const owner = columns.ownerOf(ids.find(id))
  return owner === ROOT ? null : ids.textOf(owner)
}
