import { type RefObject, useLayoutEffect } from 'react'
import { BoxKind } from '../layout/boxes.ts'
import { useSession } from '../shell/app-context.ts'
import { useStore } from '../state/store.ts'
import { FoldedCard } from './FoldedCard.tsx'
import { boxFor } from './links.ts'
import { moveCards } from './move-cards.ts'
import { NodeCard } from './NodeCard.tsx'
import type { TreeScene } from './scene.ts'
import { selectedBoxes } from './targets.ts'

/** The nodes that can be read, as elements. The outline says the same to who cannot see them. */
export function NearLayer({
  scene,
  layer,
}: {
  readonly scene: TreeScene
  readonly layer: RefObject<HTMLDivElement | null>
}) {
  const session = useSession()
  const { layout, boxes, origin } = useStore(scene.near)
  const selection = useStore(scene.selection)
  const found = useStore(scene.found)
  const held = useStore(scene.held)
  const { tree } = session
  // Before they are seen for the first time.
  useLayoutEffect(() => {
    if (layout !== undefined && scene.motion.isUnderWay(layout)) moveCards(scene, layer.current!)
  })
  const cards = () => {
    if (layout === undefined) return []
    const focus = scene.focusBox()
    const selected = new Set(selection.ids.size > 1 ? selectedBoxes(scene) : [])
    const hits =
      found.state === 'there' ? new Set(found.ids.map((id) => boxFor(layout, tree, tree.place(id)))) : undefined
    const heldBox = held === undefined ? -1 : boxFor(layout, tree, tree.place(held))
    const { rects } = layout.index
    return boxes.map((box) => {
      const id = tree.ids[layout.boxes.first[box]!]!
      const common = {
        scene,
        id,
        box,
        boxes: layout.boxes,
        left: rects.x[box]! - origin.x,
        top: rects.y[box]! - origin.y,
        flags: layout.boxes.flags[box]!,
        node: session.node(id),
        preview: session.bodies.preview(id) ?? '',
        isFocus: box === focus,
        isSelected: selected.has(box),
        isDimmed: hits !== undefined && !hits.has(box),
        isHeld: box === heldBox,
      }
      const key = `${layout.boxes.kind[box]} ${id}`
      return layout.boxes.kind[box] === BoxKind.node ? (
        <NodeCard key={key} {...common} isLeaf={id === tree.activeLeafId} />
      ) : (
        <FoldedCard key={key} {...common} />
      )
    })
  }
  return (
    <div ref={layer} className="tree-layer" aria-hidden="true">
      {cards()}
    </div>
  )
}
