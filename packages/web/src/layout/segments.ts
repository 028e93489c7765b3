import { type Boxes, BoxKind, cutToCount } from './boxes.ts'
import { type Folding, isShown, pushChildren, Shown, startWalk, type Walk } from './folding.ts'
import { type Forest, NONE, ROOT_SLOT, SLOT, STASH_SLOT } from './forest.ts'
import { NodeFlag, ROOT, STASH } from './to-places.ts'

/** Worth seeing by itself. */
const LANDMARK = NodeFlag.generating | NodeFlag.error | NodeFlag.labelled

/**
 * What a person sees of a tree. By itself stands where something begins, ends or parts, what is labelled, failed or being
 * generated, the active leaf, and what was opened; what lies between is contracted, muted apart from unmuted. Of a
 * node's children one goes on: that of the trunk, else the first. The others are folded until opened, and so are fragments.
 *
 * Costs a pass over the columns to count what is folded, and a walk over what is in sight: nothing is kept from the last
 * time that could be wrong, and a node that comes costs no more than a look at the trunk.
 */
export function contract(forest: Forest, folding: Folding): Boxes {
  const walk = startWalk(forest, folding)
  pushChildren(walk, STASH_SLOT, STASH)
  pushChildren(walk, ROOT_SLOT, ROOT)
  while (walk.slots.length > 0) {
    const slot = walk.slots.pop()!
    const parent = walk.parents.pop()!
    if (slot > NONE) followDown(walk, slot, parent)
    else if (slot < NONE) standForBelow(walk, addBox(walk, BoxKind.branch, -slot, parent), -slot)
    else addMore(walk, walk.rests.pop()!, parent)
  }
  return cutToCount(walk.boxes)
}

function followDown(walk: Walk, head: number, parentBox: number): void {
  const { forest, folding, boxes } = walk
  const { firstChild, childCount } = forest
  let box = addNode(walk, head, parentBox)
  for (;;) {
    const slot = boxes.last[box]! + SLOT
    if (childCount[slot] === 0 || isShown(folding, slot, Shown.closed)) return
    if (childCount[slot]! > 1) {
      pushChildren(walk, slot, box)
      return
    }
    const child = firstChild[slot]!
    box = isLandmark(walk, child) ? addNode(walk, child, box) : addRun(walk, child, box)
  }
}

function isLandmark({ forest, folding }: Walk, slot: number): boolean {
  return (
    (forest.flags[slot]! & LANDMARK) !== 0 ||
    forest.childCount[slot] !== 1 ||
    slot === forest.leaf ||
    (folding.shown[slot - SLOT] ?? 0) !== 0
  )
}

/** Returns the last box of the run. */
function addRun(walk: Walk, first: number, parent: number): number {
  const { forest, folding, boxes } = walk
  const { flags, firstChild } = forest
  const muted = flags[first]! & NodeFlag.disabled
  const box = addBox(walk, BoxKind.segment, first, parent)
  let nodes = 1
  let last = first
  for (let child = firstChild[last]!; !isLandmark(walk, child); child = firstChild[last]!) {
    if ((flags[child]! & NodeFlag.disabled) !== muted) break
    boxes.boxOf[child - SLOT] = box
    last = child
    nodes++
  }
  if (nodes < Math.max(2, folding.minRun)) return addShortRun(walk, first, last, parent)
  boxes.last[box] = last - SLOT
  boxes.nodes[box] = nodes
  return box
}

/** In place of the box that was begun for it. */
function addShortRun(walk: Walk, first: number, last: number, parent: number): number {
  walk.boxes.count--
  let box = addNode(walk, first, parent)
  for (let slot = first; slot !== last; ) {
    slot = walk.forest.firstChild[slot]!
    box = addNode(walk, slot, box)
  }
  return box
}

function addNode(walk: Walk, slot: number, parent: number): number {
  const box = addBox(walk, BoxKind.node, slot, parent)
  if (walk.forest.childCount[slot]! > 0 && isShown(walk.folding, slot, Shown.closed)) standForBelow(walk, box, slot)
  return box
}

function addMore(walk: Walk, tops: readonly number[], parent: number): void {
  const { boxes, below } = walk
  const box = addBox(walk, BoxKind.more, tops[0]!, parent)
  boxes.last[box] = tops.at(-1)! - SLOT
  boxes.nodes[box] = 0
  boxes.ends[box] = tops.length
  for (const top of tops) {
    boxes.nodes[box]! += below.nodes[top]!
    boxes.flags[box]! |= below.flags[top]!
    boxes.boxOf[top - SLOT] = box
  }
}

function standForBelow({ boxes, below }: Walk, box: number, slot: number): void {
  boxes.nodes[box] = below.nodes[slot]!
  boxes.ends[box] = below.ends[slot]!
  boxes.flags[box] = below.flags[slot]!
}

function addBox({ boxes, forest, trunk }: Walk, kind: number, slot: number, parent: number): number {
  const box = boxes.count++
  const place = slot - SLOT
  boxes.kind[box] = kind
  boxes.parent[box] = parent
  boxes.first[box] = place
  boxes.last[box] = place
  boxes.nodes[box] = 1
  boxes.ends[box] = 0
  boxes.flags[box] = forest.flags[slot]!
  boxes.onTrunk[box] = trunk[slot]!
  boxes.boxOf[place] = box
  return box
}
