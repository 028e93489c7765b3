import { createBoxes, type GrowingBoxes } from './boxes.ts'
import { type Below, countBelow } from './count-below.ts'
import { type Forest, NONE, ROOT_SLOT, SLOT, STASH_SLOT } from './forest.ts'

/** What somebody did to a node in the view, a byte per place. */
export const Shown = {
  /** Stands by itself, not in a segment; as the top of a branch, the branch is unfolded. */
  opened: 1,
  /** What hangs below is out of sight. */
  closed: 2,
  /** All its branches are shown, however many. */
  all: 4,
} as const

export interface Folding {
  /** By place, bits of `Shown`; nodes beyond its end have none. */
  readonly shown: Uint8Array
  /** The trunk goes straight down and its siblings stand beside it; else siblings stand in their own order. */
  readonly trunkFirst: boolean
  /** Runs shorter than this are not contracted. */
  readonly minRun: number
  /** So many folded branches of a node are shown one by one; the others share one box. */
  readonly maxFolded: number
}

/** A walk over what is in sight, from the top down. */
export interface Walk {
  readonly forest: Forest
  readonly folding: Folding
  readonly below: Below
  readonly trunk: Uint8Array
  readonly boxes: GrowingBoxes
  /** Slots still to come, the next one last: negative for a folded branch, NONE for those of `rests`. */
  readonly slots: number[]
  /** The boxes they hang from. */
  readonly parents: number[]
  readonly rests: (readonly number[])[]
}

export function startWalk(forest: Forest, folding: Folding): Walk {
  return {
    forest,
    folding,
    below: countBelow(forest),
    trunk: markTrunk(forest),
    boxes: createBoxes(forest.end - SLOT),
    slots: [],
    parents: [],
    rests: [],
  }
}

export function isShown({ shown }: Folding, slot: number, bit: number): boolean {
  return ((shown[slot - SLOT] ?? 0) & bit) !== 0
}

/** Puts the children of a slot, or the tops of all trees, on the walk's list in the order in which they stand. */
export function pushChildren(walk: Walk, above: number, parent: number): void {
  const { forest, folding, below, slots, parents, rests } = walk
  const main = mainChild(walk, above)
  const room = above < SLOT || isShown(folding, above, Shown.all) ? Number.POSITIVE_INFINITY : folding.maxFolded
  const from = slots.length
  const rest: number[] = []
  let folded = 0
  if (folding.trunkFirst && main !== NONE) slots.push(main)
  for (let slot = forest.firstChild[above]!; slot !== NONE; slot = forest.next[slot]!) {
    if (slot === main) {
      if (!folding.trunkFirst) slots.push(slot)
    } else if (isShown(folding, slot, Shown.opened)) slots.push(slot)
    else if (folded++ < room) slots.push(below.nodes[slot] === 1 ? slot : -slot)
    else rest.push(slot)
  }
  if (rest.length > 0) {
    slots.push(NONE)
    rests.push(rest)
  }
  reverseFrom(slots, from)
  for (let i = from; i < slots.length; i++) parents.push(parent)
}

/** The child that goes on below a slot when nothing is opened: that of the trunk, else the first; no fragment does. */
function mainChild({ forest, trunk }: Walk, above: number): number {
  if (above === STASH_SLOT) return NONE
  const { firstChild, next, leaf } = forest
  if (trunk[above] === 1 && above !== leaf) {
    for (let slot = firstChild[above]!; slot !== NONE; slot = next[slot]!) if (trunk[slot] === 1) return slot
  }
  return firstChild[above]!
}

function markTrunk({ end, leaf, parent }: Forest): Uint8Array {
  const trunk = new Uint8Array(end)
  if (leaf === NONE) return trunk
  for (let slot = leaf; slot >= SLOT; slot = parent[slot]!) trunk[slot] = 1
  trunk[ROOT_SLOT] = 1
  return trunk
}

function reverseFrom(list: number[], from: number): void {
  for (let low = from, high = list.length - 1; low < high; low++, high--) {
    const kept = list[low]!
    list[low] = list[high]!
    list[high] = kept
  }
}
