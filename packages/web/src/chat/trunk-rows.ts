import { NodeFlag, type TreeModel } from '../state/tree-model.ts'

/** One row of the chat: a message, or a mark where muted ones stand. */
export type Row =
  | { readonly kind: 'message'; readonly key: string; readonly place: number; readonly isMuted: boolean }
  | { readonly kind: 'hidden'; readonly key: string; readonly ids: readonly string[]; readonly isOpen: boolean }

export interface RowOptions {
  readonly mode: 'tree' | 'linear'
  /** Muted nodes that the reader has asked to see. */
  readonly opened: ReadonlySet<string>
}

/**
 * What the chat shows, from the root down: the nodes of the trunk that count, and where muted ones were left out a mark
 * that says how many (T10, X51). In linear mode all of them count, along the newest message's path (T36).
 */
export function trunkRows(tree: TreeModel, { mode, opened }: RowOptions): readonly Row[] {
  const rows: Row[] = []
  const isLinear = mode === 'linear'
  const path = isLinear ? tree.pathTo(newestLeaf(tree)) : tree.trunk()
  for (let at = 0; at < path.length; at++) {
    const place = path[at]!
    if (isLinear || !tree.has(place, NodeFlag.disabled)) {
      rows.push({ kind: 'message', key: tree.ids[place]!, place, isMuted: false })
      continue
    }
    let end = at
    while (end < path.length && tree.has(path[end]!, NodeFlag.disabled)) end++
    rows.push(...hiddenRows(tree, path.slice(at, end), opened))
    at = end - 1
  }
  return rows
}

function hiddenRows(tree: TreeModel, run: readonly number[], opened: ReadonlySet<string>): readonly Row[] {
  const ids = run.map((place) => tree.ids[place]!)
  const isOpen = ids.some((id) => opened.has(id))
  const mark: Row = { kind: 'hidden', key: `hidden:${ids[0]}`, ids, isOpen }
  if (!isOpen) return [mark]
  return [mark, ...run.map((place): Row => ({ kind: 'message', key: tree.ids[place]!, place, isMuted: true }))]
}

/** Where a plain chat goes on, as the server has it: with its newest message, whatever was chosen. -1 for nowhere. */
export function newestLeaf(tree: TreeModel): number {
  let at = newestAttached(tree)
  while (at >= 0 && tree.children.count(at) > 0) {
    let newest = -1
    for (const place of tree.subtree(at)) if (place !== at && place > newest) newest = place
    at = newest
  }
  return at
}

function newestAttached(tree: TreeModel): number {
  let place = tree.size - 1
  while (place >= 0 && tree.has(place, NodeFlag.detached | NodeFlag.deleted)) place--
  return place
}

/** Answers being written that this trunk does not show. */
export function generatingElsewhere(tree: TreeModel): readonly string[] {
  const found: string[] = []
  const flags = tree.flags.view()
  for (let place = 0; place < flags.length; place++) {
    if ((flags[place]! & NodeFlag.generating) !== 0 && (flags[place]! & NodeFlag.deleted) === 0)
      found.push(tree.ids[place]!)
  }
  if (found.length === 0) return found
  const onTrunk = new Set(tree.trunk())
  return found.filter((id) => !onTrunk.has(tree.place(id)))
}
