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
  const count = selectedBoxes(scene).length
  if (count < 2 && held === undefined) return null
  const shown = count > 1 ? commandsFor(scene) : commandsFor(scene).filter(({ id }) => /^(graft|insert)/.test(id))
  return (
    <div className="tree-batch" role="toolbar" aria-label={t('What can be done')}>
      <strong>{count > 1 ? t('{count} selected', { count }) : t('Choose where to graft it.')}</strong>
      {shown.map(({ id, label, key, isDanger, run }) => (
        <button key={id} type="button" className={isDanger ? 'danger' : undefined} title={key} onClick={run}>
          {label}
        </button>
      ))}
    </div>
  )
}
