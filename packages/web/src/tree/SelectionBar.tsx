import { useLayoutEffect, useRef } from 'react'
import { useSession } from '../shell/app-context.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { commandsFor } from './commands.ts'
import type { TreeScene } from './scene.ts'
import { selectedBoxes } from './targets.ts'

/** When several are selected, or something is held: what can be done with that. */
export function SelectionBar({ scene }: { readonly scene: TreeScene }) {
  useSession()
  useStore(scene.selection)
  useStore(scene.layout)
  const held = useStore(scene.held)
  const bar = useRef<HTMLDivElement>(null)
  const boxes = selectedBoxes(scene)
  const count = boxes.length
  const isShown = count > 1 || held !== undefined
  useLayoutEffect(() => {
    if (!isShown) return
    scene.setCover(bar.current!.offsetHeight, selectedBoxes(scene))
    return () => scene.setCover(0, [])
  }, [scene, isShown])
  if (!isShown) return null
  const shown = count > 1 ? commandsFor(scene) : commandsFor(scene).filter(({ id }) => /^(graft|insert)/.test(id))
  return (
    <div className="tree-batch" role="toolbar" aria-label={t('What can be done')} ref={bar}>
      <strong>{count > 1 ? t('{count} selected', { count }) : t('Choose where to graft it.')}</strong>
      {shown.map(({ id, label, short = label, key, isDanger, run }) => (
        <button
          key={id}
          type="button"
          className={isDanger ? 'danger' : undefined}
          title={key === undefined ? label : `${label}  (${key})`}
          onClick={run}
        >
          {short}
        </button>
      ))}
    </div>
  )
}
