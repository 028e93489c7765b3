import { type Forest, ROOT_SLOT, SLOT, STASH_SLOT } from './forest.ts'

/** What hangs at and below each slot. */
export interface Below {
  readonly nodes: Int32Array
  /** Nodes without children. */
  readonly ends: Int32Array
  /** Every flag that is set somewhere. */
  readonly flags: Uint8Array
}

/** One pass, from the ends upward; where children stand before their parents, a parent waits for the last of them. */
export function countBelow(forest: Forest): Below {
  const { end, flags } = forest
  const below: Below = { nodes: new Int32Array(end), ends: new Int32Array(end), flags: flags.slice(0, end) }
  if (forest.isOrdered) for (let slot = end - 1; slot >= SLOT; slot--) addToParent(forest, below, slot)
  else addFromEnds(forest, below)
  return below
}

function addToParent({ parent, childCount }: Forest, { nodes, ends, flags }: Below, slot: number): void {
  const above = parent[slot]!
  nodes[slot]!++
  if (childCount[slot] === 0) ends[slot] = 1
  nodes[above]! += nodes[slot]!
  ends[above]! += ends[slot]!
  flags[above]! |= flags[slot]!
}

function addFromEnds(forest: Forest, below: Below): void {
  const { end, parent, childCount } = forest
  const waitsFor = childCount.slice(0, end)
  for (let leaf = SLOT; leaf < end; leaf++) {
    if (childCount[leaf] !== 0) continue
    for (let slot = leaf; slot !== ROOT_SLOT && slot !== STASH_SLOT; slot = parent[slot]!) {
      addToParent(forest, below, slot)
      waitsFor[parent[slot]!]!--
      if (waitsFor[parent[slot]!]! > 0) break
    }
  }
}
