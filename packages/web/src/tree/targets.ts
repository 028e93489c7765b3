import { type Boxes, BoxKind } from '../layout/boxes.ts'
import type { TreeModel } from '../state/tree-model.ts'
import { boxFor } from './links.ts'
import type { TreeScene } from './scene.ts'

/** The nodes that a selection means: of a contracted run or a folded branch all of them. */
export function nodesMeant(scene: TreeScene): readonly string[] {
  const { tree } = scene.session
  const meant = new Set<number>()
  for (const box of selectedBoxes(scene))
    for (const place of placesOf(tree, scene.layout.get()!.boxes, box)) meant.add(place)
  return [...meant].map((place) => tree.ids[place]!)
}

/** The tops of what a selection means: what hangs under another of them goes along with it. */
export function topsMeant(scene: TreeScene): readonly string[] {
  const { tree } = scene.session
  const boxes = scene.layout.get()?.boxes
  const tops = new Set(selectedBoxes(scene).flatMap((box) => topPlaces(tree, boxes!, box)))
  return [...tops].filter((place) => !hasAbove(tree, place, tops)).map((place) => tree.ids[place]!)
}

/** The node below which something is to be put: of a contracted run the last. */
export function targetMeant(scene: TreeScene): string | undefined {
  const box = scene.focusBox()
  const boxes = scene.layout.get()?.boxes
  if (box < 0 || boxes === undefined) return undefined
  const place = boxes.kind[box] === BoxKind.segment ? boxes.last[box]! : boxes.first[box]!
  return scene.session.tree.ids[place]
}

export function selectedBoxes(scene: TreeScene): readonly number[] {
  const layout = scene.layout.get()
  const { focus, ids } = scene.selection.get()
  if (layout === undefined) return []
  const meant = ids.size === 0 && focus !== null ? [focus] : [...ids]
  const { tree } = scene.session
  const boxes = meant.map((id) => boxFor(layout, tree, tree.place(id)))
  return [...new Set(boxes)].filter((box) => box >= 0)
}

function placesOf(tree: TreeModel, boxes: Boxes, box: number): Iterable<number> {
  const first = boxes.first[box]!
  if (boxes.kind[box] === BoxKind.branch) return tree.subtree(first)
  if (boxes.kind[box] === BoxKind.more) return topPlaces(tree, boxes, box).flatMap((top) => [...tree.subtree(top)])
  if (boxes.kind[box] === BoxKind.node) return boxes.nodes[box]! > 1 ? tree.subtree(first) : [first]
  const run: number[] = []
  for (let at = boxes.last[box]!; at >= 0; at = tree.parentOf(at)) {
    run.push(at)
    if (at === first) break
  }
  return run.reverse()
}

function topPlaces(tree: TreeModel, boxes: Boxes, box: number): readonly number[] {
  const first = boxes.first[box]!
  if (boxes.kind[box] !== BoxKind.more) return [first]
  return tree.siblingsOf(first).filter((place) => boxes.boxOf[place] === box)
}

function hasAbove(tree: TreeModel, place: number, among: ReadonlySet<number>): boolean {
  for (let at = tree.parentOf(place); at >= 0; at = tree.parentOf(at)) if (among.has(at)) return true
  return false
}
