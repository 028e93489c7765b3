import { useEffect, useId, useRef } from 'react'
import { goTo } from '../shell/route.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { ContextMenu } from './ContextMenu.tsx'
import { DragGhost } from './DragGhost.tsx'
import { Painter } from './draw/painter.ts'
import { LiveWords } from './LiveWords.tsx'
import { Minimap } from './Minimap.tsx'
import { NearLayer } from './NearLayer.tsx'
import type { TreeScene } from './scene.ts'
import { onStageKey } from './stage-keys.ts'
import { StagePointer } from './stage-pointer.ts'

/** The canvas with all of the tree, and over it elements for those nodes that can be read. One tab stop. */
export function Stage({ scene }: { readonly scene: TreeScene }) {
  const stage = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const rubber = useRef<HTMLDivElement>(null)
  const hint = useId()
  const isEmpty = scene.session.tree.size === 0
  const isDragging = useStore(scene.drag) !== undefined
  useEffect(() => {
    const element = stage.current!
    const painter = new Painter(scene, canvas.current!, layer.current!)
    const pointer = new StagePointer(scene, element, rubber.current!)
    const measure = (): void => scene.resize({ width: element.clientWidth, height: element.clientHeight })
    const sizes = new ResizeObserver(measure)
    measure()
    sizes.observe(element)
    element.focus({ preventScroll: true })
    return () => {
      sizes.disconnect()
      pointer.close()
      painter.close()
    }
  }, [scene])
  return (
    <div
      ref={stage}
      className={`tree-stage${isDragging ? ' is-dragging' : ''}`}
      role="application"
      aria-label={t('The tree of this conversation')}
      aria-describedby={hint}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys, and this is its one stop.
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget || !onStageKey(scene, event.nativeEvent)) return
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      <canvas ref={canvas} className="tree-canvas" />
      <NearLayer scene={scene} layer={layer} />
      <div ref={rubber} className="tree-rubber" hidden />
      <DragGhost scene={scene} />
      <Minimap scene={scene} />
      <ContextMenu scene={scene} stage={stage} />
      {isEmpty && (
        <p className="tree-empty">
          {t('Nothing has been said here yet.')}
          <button type="button" onClick={() => goTo({ view: 'chat' })}>
            {t('Begin in the chat')}
          </button>
        </p>
      )}
      <LiveWords scene={scene} />
      <p id={hint} className="hidden-label">
        {t('Arrow keys go from node to node. Press t for an outline, ? for all keys.')}
      </p>
    </div>
  )
}
