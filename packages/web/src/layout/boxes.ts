export const BoxKind = {
  /** One node. Where it is closed, it also stands for all that hangs below. */
  node: 0,
  /** An unbranched run, contracted. */
  segment: 1,
  /** A folded branch. */
  branch: 2,
  /** The folded branches of a parent that are too many to show each. */
  more: 3,
} as const

/** What is drawn, a parent before its children and siblings in their order: the columns of a box have the same index. */
export interface Boxes {
  readonly kind: Uint8Array
  /** The box above; ROOT or STASH for a top. */
  readonly parent: Int32Array
  /** Places of the first and the last node of a run; of a branch, its top twice; of `more`, the first and last of the tops. */
  readonly first: Int32Array
  readonly last: Int32Array
  /** How many nodes it stands for, itself included. */
  readonly nodes: Int32Array
  /** How many ends of branches are out of sight behind it; of `more`, how many branches. */
  readonly ends: Int32Array
  /** Every flag that one of its nodes has. */
  readonly flags: Uint8Array
  /** 1 where its nodes are on the trunk. */
  readonly onTrunk: Uint8Array
  /** By place: the box that stands for a node, -1 if it is out of sight below a box that stands for a node above it. */
  readonly boxOf: Int32Array
}

export interface GrowingBoxes extends Boxes {
  count: number
}

/** A box stands for at least one node that no other stands for, so this is always room enough. */
export function createBoxes(nodeCount: number): GrowingBoxes {
  return {
    count: 0,
    kind: new Uint8Array(nodeCount),
    parent: new Int32Array(nodeCount),
    first: new Int32Array(nodeCount),
    last: new Int32Array(nodeCount),
    nodes: new Int32Array(nodeCount),
    ends: new Int32Array(nodeCount),
    flags: new Uint8Array(nodeCount),
    onTrunk: new Uint8Array(nodeCount),
    boxOf: new Int32Array(nodeCount).fill(-1),
  }
}

export function cutToCount({ count, boxOf, ...boxes }: GrowingBoxes): Boxes {
  return {
    kind: boxes.kind.slice(0, count),
    parent: boxes.parent.slice(0, count),
    first: boxes.first.slice(0, count),
    last: boxes.last.slice(0, count),
    nodes: boxes.nodes.slice(0, count),
    ends: boxes.ends.slice(0, count),
    flags: boxes.flags.slice(0, count),
    onTrunk: boxes.onTrunk.slice(0, count),
    boxOf,
  }
}
