import type { ColumnsTree, TreeColumns } from '@treeline/protocol'

/** The parent of a root, and of the top of a fragment: as on the wire. */
export const ROOT = -1
export const STASH = -2
/** In place of the parent of a node that was deleted: it and what hangs below stand nowhere, and keep their places. */
export const GONE = -3
const NO_PLACE = -1

/** As on the wire. */
export const NodeFlag = { disabled: 1, detached: 2, generating: 4, error: 8, labelled: 16 } as const

export type WireTree = Pick<ColumnsTree, 'rootNodeIds' | 'activeLeafId'> & {
  readonly columns: Pick<TreeColumns, 'id' | 'parent' | 'flags' | 'reordered'>
  readonly fragments?: readonly { readonly rootId: string }[]
}

/** A tree without ids: what the layout is made from. Its buffers can be handed to a worker. */
export interface Places {
  readonly parent: Int32Array
  readonly flags: Uint8Array
  /** Children that do not stand as they came: parent (or ROOT, STASH), how many, the children; and so on. */
  readonly orders: Int32Array
  readonly leaf: number
}

export function toPlaces({ columns, rootNodeIds, activeLeafId, fragments = [] }: WireTree): Places {
  const { id, parent, flags, reordered } = columns
  const wanted = [
    { parentId: undefined, above: ROOT, ids: unlessAsTheyCame(columns, ROOT, rootNodeIds) },
    {
      parentId: undefined,
      above: STASH,
      ids: unlessAsTheyCame(
        columns,
        STASH,
        fragments.map(({ rootId }) => rootId),
      ),
    },
    ...Object.entries(reordered).map(([parentId, ids]) => ({ parentId, above: NO_PLACE, ids })),
  ].filter(({ ids }) => ids.length > 0)
  const names = wanted.flatMap(({ parentId, ids }) => (parentId === undefined ? ids : [parentId, ...ids]))
  const placeOf = findPlaces(id, new Set(names))
  const orders: number[] = []
  for (const { parentId, above, ids } of wanted) {
    const place = parentId === undefined ? above : placeOf.get(parentId)
    if (place === undefined) continue
    const children = ids.map((name) => placeOf.get(name)).filter((at) => at !== undefined)
    orders.push(place, children.length)
    for (const child of children) orders.push(child)
  }
  return {
    parent: toParents(parent),
    flags: Uint8Array.from(flags),
    orders: Int32Array.from(orders),
    leaf: activeLeafId === null ? NO_PLACE : id.lastIndexOf(activeLeafId),
  }
}

/** A typed array makes 0 of what is no whole number, and 0 would be the first node. */
function toParents(parent: readonly number[]): Int32Array {
  const parents = new Int32Array(parent.length)
  for (let at = 0; at < parents.length; at++) {
    const above = parent[at]!
    parents[at] = (above | 0) === above ? above : ROOT
  }
  return parents
}

/** Most trees have their tops in the order they came in, and then nothing has to be looked up. */
function unlessAsTheyCame(
  { id, parent }: WireTree['columns'],
  above: number,
  ids: readonly string[],
): readonly string[] {
  let found = 0
  for (let at = parent.indexOf(above); at >= 0 && found < ids.length; at = parent.indexOf(above, at + 1)) {
    if (id[at] !== ids[found]) return ids
    found++
  }
  return []
}

function findPlaces(ids: readonly string[], wanted: ReadonlySet<string>): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  if (wanted.size === 0) return places
  for (let at = 0; at < ids.length; at++) if (wanted.has(ids[at]!)) places.set(ids[at]!, at)
  return places
}
