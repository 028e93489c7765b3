import { Icon, type IconName } from '../chat/Icon.tsx'
import { redo, undo } from '../shell/undoable.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { unfoldAll } from './folds.ts'
import { SearchField } from './SearchField.tsx'
import type { Panels, TreeScene } from './scene.ts'

const STEP = 1.25

export function TreeBar({ scene }: { readonly scene: TreeScene }) {
  const { session } = scene
  const fold = (): void => scene.setFolds(new Uint8Array(0))
  return (
    <div className="tree-bar" role="toolbar" aria-label={t('Tree')}>
      <span className="tree-bar-panels">
        <PanelButton scene={scene} name="outline" icon="outline" label={t('Outline')} />
        <PanelButton scene={scene} name="stash" icon="archive" label={t('Stash')} />
        <PanelButton scene={scene} name="history" icon="history" label={t('History')} />
      </span>
      <SearchField scene={scene} />
      <span className="tree-bar-group">
        <Tool icon="minus" label={`${t('Zoom out')}  (-)`} run={() => scene.viewport.zoom(1 / STEP)} />
        <Zoom scene={scene} />
        <Tool icon="plus" label={`${t('Zoom in')}  (+)`} run={() => scene.viewport.zoom(STEP)} />
        <Tool icon="fitTrunk" label={`${t('Fit the trunk')}  (f)`} run={() => scene.fitTrunk()} />
        <Tool icon="fitAll" label={`${t('Fit all')}  (Shift+F)`} run={() => scene.fitAll()} />
      </span>
      <span className="tree-bar-group">
        <Tool icon="unfold" label={t('Unfold all branches')} run={() => scene.setFolds(unfoldAll(session.tree))} />
        <Tool icon="compact" label={t('Fold all but the trunk')} run={fold} />
      </span>
      <span className="tree-bar-group">
        <Tool icon="undo" label={`${t('Undo')}  (Ctrl+Z)`} run={() => void undo(session)} />
        <Tool icon="redo" label={`${t('Redo')}  (Ctrl+Shift+Z)`} run={() => void redo(session)} />
      </span>
    </div>
  )
}

function Zoom({ scene }: { readonly scene: TreeScene }) {
  const percent = Math.round(useStore(scene.viewport.camera).scale * 100)
  return (
    <button
      type="button"
      className="icon tree-zoom"
      title={`${t('To readable')}  (0)`}
      onClick={() => scene.viewport.zoom(1 / scene.viewport.camera.get().scale)}
    >
      {percent < 1 ? '<1' : percent}%
    </button>
  )
}

function Tool({ icon, label, run }: { readonly icon: IconName; readonly label: string; readonly run: () => void }) {
  return (
    <button type="button" className="icon" title={label} aria-label={label} onClick={run}>
      <Icon name={icon} />
    </button>
  )
}

interface PanelButtonProps {
  readonly scene: TreeScene
  readonly name: keyof Panels
  readonly icon: IconName
  readonly label: string
}

function PanelButton({ scene, name, icon, label }: PanelButtonProps) {
  const isOn = useStore(scene.panels)[name]
  return (
    <button
      type="button"
      className="tree-toggle"
      aria-label={label}
      aria-pressed={isOn}
      title={`${label}  (${KEYS[name]})`}
      onClick={() => scene.togglePanel(name)}
    >
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  )
}

const KEYS: Readonly<Record<keyof Panels, string>> = { outline: 't', history: 'h', stash: 's' }
