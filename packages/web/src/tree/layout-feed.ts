import type { View } from '../layout/lay-out.ts'
import type { LayoutRequest } from '../layout/messages.ts'
import type { Places } from '../layout/to-places.ts'
import { TOP, type TreeModel } from '../state/tree-model.ts'

type Changes = Omit<LayoutRequest, 'revision'>

/** Says what of a tree the layout does not know yet: at best a node and a flag, after an edit all of it. */
export class LayoutFeed {
  private tree: TreeModel | undefined
  private shape = -1
  private leaf = -1
  private marks = -1
  private flags = new Uint8Array(0)

  /** `undefined` when there is nothing to say. */
  changesOf(tree: TreeModel): Changes | undefined {
    if (this.tree !== tree || this.shape !== tree.shape) return this.all(tree)
    const changes: { -readonly [K in keyof Changes]: Changes[K] } = {}
    const known = this.flags.length
    const flags = tree.flags.view()
    // Told of every change of anything, and nearly never of a flag of one of a hundred thousand nodes.
    const changed = this.marks === tree.marks ? [] : placesThatDiffer(flags, this.flags)
    if (tree.size > known) {
      const parent = tree.parent.view().slice(known)
      changes.added = { from: known, parent, flags: new Uint8Array(flags.subarray(known)) }
    }
    if (changed.length > 0) {
      changes.changed = {
        places: Int32Array.from(changed),
        flags: Uint8Array.from(changed, (place) => flags[place]!),
      }
    }
    const leaf = tree.place(tree.activeLeafId)
    if (leaf !== this.leaf) changes.leaf = leaf
    if (Object.keys(changes).length === 0) return undefined
    this.leaf = leaf
    this.marks = tree.marks
    if (tree.size > known || changed.length > 0) this.flags = new Uint8Array(flags)
    return changes
  }

  /** The next time all of it is told. */
  forget(): void {
    this.tree = undefined
  }

  private all(tree: TreeModel): Changes {
    this.tree = tree
    this.shape = tree.shape
    const places = placesOf(tree)
    this.leaf = places.leaf
    this.marks = tree.marks
    this.flags = places.flags.slice()
    return { tree: places }
  }
}

/** Of those the other knows. */
function placesThatDiffer(flags: Int32Array, known: Uint8Array): number[] {
  const places: number[] = []
  for (let place = 0; place < known.length; place++) if (flags[place] !== known[place]) places.push(place)
  return places
}

function placesOf(tree: TreeModel): Places {
  const orders: number[] = []
  const note = (above: number, children: readonly number[]): void => {
    for (let i = 1; i < children.length; i++) {
      if (children[i]! > children[i - 1]!) continue
      orders.push(above, children.length)
      for (const child of children) orders.push(child)
      return
    }
  }
  note(TOP.root, tree.roots)
  note(TOP.fragment, tree.fragments)
  for (const [place, children] of tree.children.ownLists()) note(place, children)
  return {
    parent: tree.parent.view().slice(),
    flags: new Uint8Array(tree.flags.view()),
    orders: Int32Array.from(orders),
    leaf: tree.place(tree.activeLeafId),
  }
}

/** Measures of the boxes, in pixels of the tree. */
export const SIZES = {
  node: { width: 248, height: 92 },
  segment: { width: 248, height: 44 },
  branch: { width: 248, height: 66 },
  more: { width: 248, height: 36 },
} as const
export const GAPS = { beside: 32, below: 36, trees: 96 } as const

export function viewWith(shown: Uint8Array): View {
  return { shown, trunkFirst: true, minRun: 3, maxFolded: 6, sizes: SIZES, gaps: GAPS }
}
