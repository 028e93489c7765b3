import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { toScreen } from './camera.ts'
import type { Drag, Where } from './drag.ts'
import type { TreeScene } from './scene.ts'

/** What is dragged, and where it would stand. */
export function DragGhost({ scene }: { readonly scene: TreeScene }) {
  const drag = useStore(scene.drag)
  const camera = useStore(scene.viewport.camera)
  if (drag === undefined) return null
  const rect = drag.target === undefined ? undefined : scene.rectOf(drag.target.box)
  const from = rect && toScreen(camera, { x: rect.left, y: rect.top })
  const size = rect && {
    width: (rect.right - rect.left) * camera.scale,
    height: (rect.bottom - rect.top) * camera.scale,
  }
  return (
    <>
      {from && size && (
        <div className={`tree-drop drop-${drag.target!.where}`} style={{ left: from.x, top: from.y, ...size }} />
      )}
      <div className="tree-ghost" style={{ left: drag.at.x + 12, top: drag.at.y + 8 }}>
        <strong>{sayWhat(drag)}</strong>
        <span>{drag.label.slice(0, 80)}</span>
      </div>
    </>
  )
}

function sayWhat({ target, isCopy, isOverStash }: Drag): string {
  if (isOverStash) return t('Into the stash')
  if (target === undefined) return t('Nowhere')
  return isCopy ? `${t('Copy')}: ${sayWhere(target.where)}` : sayWhere(target.where)
}

function sayWhere(where: Where): string {
  switch (where) {
    case 'under':
      return t('Under this node')
    case 'before':
      return t('Before this node')
    case 'after':
      return t('After this node')
    case 'between':
      return t('Between this and what follows')
  }
}
