import { type Boxes, BoxKind } from '../layout/boxes.ts'
import { Shown } from '../layout/folding.ts'
import { TOP, type TreeModel } from '../state/tree-model.ts'

/** What is folded and what is open, a byte of `Shown` per place. Every function gives a new one. */
export type Folds = Uint8Array

/** Opens what a box contracts or hides; of a node, closes it over what hangs below or opens it again. */
export function toggleFold(folds: Folds, tree: TreeModel, boxes: Boxes, box: number): Folds {
  const next = grown(folds, tree)
  const [first, last] = [boxes.first[box]!, boxes.last[box]!]
  switch (boxes.kind[box]) {
    case BoxKind.segment:
      for (let at = last; at >= 0; at = tree.parentOf(at)) {
        next[at]! |= Shown.opened
        if (at === first) break
      }
      return next
    case BoxKind.branch:
      next[first]! |= Shown.opened
      return next
    case BoxKind.more: {
      const above = tree.parentOf(first)
      if (above >= 0) next[above]! |= Shown.all
      return next
    }
    default:
      if (tree.children.count(first) > 0) next[first]! ^= Shown.closed
      return next
  }
}

/** The other way: contracts the run that was opened around a node, else folds the branch it is on. */
export function foldBack(folds: Folds, tree: TreeModel, place: number): Folds {
  const next = grown(folds, tree)
  const run = openedRun(next, tree, place)
  if (run.length > 1) {
    for (const at of run) next[at]! &= ~Shown.opened
    return next
  }
  const top = branchTop(next, tree, place)
  if (top >= 0) next[top]! &= ~(Shown.opened | Shown.all)
  return next
}

/** The top of the unfolded branch that a node is on; -1 on the trunk. */
export function branchTop(folds: Folds, tree: TreeModel, place: number): number {
  for (let at = place; at >= 0; at = tree.parentOf(at)) {
    const above = tree.parentOf(at)
    const isTop = above < 0 || tree.children.count(above) > 1
    if (!isTop || ((folds[at] ?? 0) & Shown.opened) === 0) continue
    // What is above something on the trunk is on it too.
    return tree.trunk().includes(at) ? -1 : at
  }
  return -1
}

/** A node stands by itself and nothing hides it. */
export function unfoldTo(folds: Folds, tree: TreeModel, place: number): Folds {
  const next = grown(folds, tree)
  next[place]! |= Shown.opened
  for (let at = place; at >= 0; at = tree.parentOf(at)) {
    const above = tree.parentOf(at)
    if (above >= 0) next[above]! &= ~Shown.closed
    if (above < 0 || tree.children.count(above) > 1) next[at]! |= Shown.opened
  }
  return next
}

/** Every branch unfolded; runs stay contracted. */
export function unfoldAll(tree: TreeModel): Folds {
  const next = new Uint8Array(tree.size)
  for (let place = 0; place < tree.size; place++) {
    const above = tree.parentOf(place)
    if (above === TOP.fragment || above === TOP.root || (above >= 0 && tree.children.count(above) > 1)) {
      next[place] = Shown.opened
    }
  }
  return next
}

/** The same nodes open in a tree that was read anew. */
export function carryOver(folds: Folds, before: TreeModel, tree: TreeModel): Folds {
  const next = new Uint8Array(tree.size)
  for (let place = 0; place < Math.min(folds.length, before.size); place++) {
    const now = folds[place] === 0 ? -1 : tree.place(before.ids[place]!)
    if (now >= 0) next[now] = folds[place]!
  }
  return next
}

function openedRun(folds: Folds, tree: TreeModel, place: number): readonly number[] {
  const isInRun = (at: number): boolean =>
    at >= 0 && ((folds[at] ?? 0) & Shown.opened) !== 0 && tree.children.count(at) === 1
  if (!isInRun(place)) return []
  const run = [place]
  for (let at = tree.parentOf(place); isInRun(at); at = tree.parentOf(at)) run.push(at)
  for (let at = tree.children.of(place)[0]!; isInRun(at); at = tree.children.of(at)[0]!) run.push(at)
  return run
}

function grown(folds: Folds, tree: TreeModel): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(tree.size)
  next.set(folds.subarray(0, tree.size))
  return next
}
