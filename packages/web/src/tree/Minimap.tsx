import { useEffect, useRef } from 'react'
import { t } from '../words/language.ts'
import { MinimapPainter } from './draw/minimap-painter.ts'
import type { TreeScene } from './scene.ts'

/** All of the tree in a corner, and what of it is on screen. Dragging in it goes there; keys have "fit" for that. */
export function Minimap({ scene }: { readonly scene: TreeScene }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const painter = new MinimapPainter(scene, canvas.current!)
    return () => painter.close()
  }, [scene])
  return (
    <div className="tree-minimap" hidden title={t('All of the tree')}>
      <canvas ref={canvas} width={184} height={128} />
    </div>
  )
}
