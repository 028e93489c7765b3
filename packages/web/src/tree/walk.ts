import { linksOf } from './links.ts'
import type { TreeScene } from './scene.ts'
import { extendTo, selectOne } from './selection.ts'

export type Direction = 'parent' | 'child' | 'previous' | 'next' | 'first' | 'last'

/**
 * Goes from box to box. Where nothing stands beside a box, "previous" and "next" lead up and down, so that along a trunk
 * the arrows that point there go there.
 */
export function walk(scene: TreeScene, direction: Direction, isExtending = false): void {
  const layout = scene.layout.get()
  const box = scene.focusBox()
  if (layout === undefined) return
  const next =
    box < 0 || direction === 'first' || direction === 'last' ? end(scene, direction) : step(scene, box, direction)
  const id = next < 0 ? undefined : scene.idOfBox(next)
  if (id === undefined) return
  scene.selection.update((selection) => (isExtending ? extendTo(selection, id) : selectOne(id)))
  scene.show(next)
}

function step(scene: TreeScene, box: number, direction: Direction): number {
  const layout = scene.layout.get()!
  const links = linksOf(layout)
  const above = layout.boxes.parent[box]!
  const below = links.firstChild[box]!
  switch (direction) {
    case 'parent':
      return above
    case 'child':
      return below
    case 'previous':
      return links.previous[box]! >= 0 ? links.previous[box]! : above
    default:
      return links.next[box]! >= 0 ? links.next[box]! : below
  }
}

function end(scene: TreeScene, direction: Direction): number {
  const layout = scene.layout.get()!
  const { tree } = scene.session
  if (direction === 'last') return layout.boxes.boxOf[tree.place(tree.activeLeafId)] ?? -1
  return layout.boxes.boxOf[tree.trunk()[0] ?? tree.roots[0] ?? -1] ?? -1
}
