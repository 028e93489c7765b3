import { tell } from '../shell/notices.ts'
import { t } from '../words/language.ts'
import { cutOut, graft } from './actions.ts'
import { type Point, panBy, toWorld } from './camera.ts'
import { dropTargetAt } from './drag.ts'
import { lineOf } from './node-text.ts'
import type { TreeScene } from './scene.ts'

type Modifiers = Pick<MouseEvent, 'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey'>

/** Near the edge of the stage the view goes along. */
const EDGE_PX = 36
const EDGE_STEP_PX = 10

export function beginDrag(scene: TreeScene, sourceId: string, at: Point, keys: Modifiers): void {
  const label = lineOf(scene.session, sourceId) ?? ''
  scene.drag.set({ sourceId, label, at, isCopy: false, target: undefined, isOverStash: false })
  moveDrag(scene, at, keys)
}

/** `isOverStash` is what the shelf says; on the stage it is not. */
export function moveDrag(scene: TreeScene, at: Point, keys: Modifiers): void {
  const drag = scene.drag.get()
  const layout = scene.layout.get()
  if (drag === undefined || layout === undefined) return
  const isCopy = keys.ctrlKey || keys.altKey || keys.metaKey
  const { width, height } = scene.viewport.size
  const isOnStage = at.x >= 0 && at.y >= 0 && at.x <= width && at.y <= height
  const { tree } = scene.session
  const world = toWorld(scene.viewport.camera.get(), at)
  const source = tree.place(drag.sourceId)
  const target = isOnStage ? dropTargetAt(layout, tree, source, world, { isCopy, isBetween: keys.shiftKey }) : undefined
  scene.drag.set({ ...drag, at, isCopy, target, isOverStash: at.y > height })
  const dx = at.x < EDGE_PX ? -EDGE_STEP_PX : at.x > width - EDGE_PX ? EDGE_STEP_PX : 0
  const dy = at.y < EDGE_PX ? -EDGE_STEP_PX : at.y > height - EDGE_PX && at.y <= height ? EDGE_STEP_PX : 0
  if (isOnStage && (dx !== 0 || dy !== 0)) scene.viewport.lookAt(panBy(scene.viewport.camera.get(), dx, dy), false)
}

export async function endDrag(scene: TreeScene): Promise<void> {
  const drag = scene.drag.get()
  scene.drag.set(undefined)
  if (drag === undefined) return
  const { sourceId, target, isCopy, isOverStash } = drag
  const { session } = scene
  if (isOverStash) {
    if (session.tree.parentOf(session.tree.place(sourceId)) !== -2) await cutOut(session, [sourceId])
    return
  }
  if (target === undefined) {
    tell(t('Nothing was moved: drop it on a node, or on the stash.'))
    return
  }
  const there = await graft(session, sourceId, target, isCopy)
  if (there !== undefined) scene.goTo(there, false)
}
