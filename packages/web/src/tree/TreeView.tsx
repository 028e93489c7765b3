import { useEffect } from 'react'
import { registerKeys } from '../keys/keys.ts'
import { useSession } from '../shell/app-context.ts'
import { route } from '../shell/route.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { HistoryPanel } from './HistoryPanel.tsx'
import { Outline } from './Outline.tsx'
import { PromptDialog } from './PromptDialog.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { Stage } from './Stage.tsx'
import { StashShelf } from './StashShelf.tsx'
import { sceneOf } from './scene.ts'
import { STAGE_KEYS } from './stage-keys.ts'
import { TreeBar } from './TreeBar.tsx'

/** The whole forest, to take hold of: a picture of it, an outline that says the same, and what one needs to edit it. */
export function TreeView() {
  const session = useSession()
  const scene = sceneOf(session)
  const { outline, history } = useStore(scene.panels)
  const { nodeId } = useStore(route)
  useEffect(() => {
    scene.start()
    return () => scene.stop()
  }, [scene])
  useEffect(() => {
    if (nodeId !== undefined) scene.goTo(nodeId)
  }, [scene, nodeId])
  useEffect(() => registerKeys(() => t('Tree'), STAGE_KEYS), [])
  return (
    <section className="tree" aria-label={t('Tree')}>
      <TreeBar scene={scene} />
      <div className="tree-body">
        {outline && <Outline scene={scene} />}
        <div className="tree-middle">
          <div className="tree-picture">
            <Stage scene={scene} />
            <SelectionBar scene={scene} />
          </div>
          <StashShelf scene={scene} />
        </div>
        {history && <HistoryPanel scene={scene} />}
      </div>
      <PromptDialog />
    </section>
  )
}
