import { Icon, type IconName } from '../chat/Icon.tsx'
import { t } from '../words/language.ts'
import { toScreen } from './camera.ts'
import { commandsFor } from './commands.ts'
import type { TreeScene } from './scene.ts'

const SHOWN: Readonly<Record<string, IconName>> = {
  trunk: 'branch',
  mute: 'mute',
  unmute: 'unmute',
  fold: 'unfold',
  label: 'flag',
  cut: 'cut',
  graft: 'bringIn',
}

/** The handiest of what can be done, on the node where the keys are; the rest is in the menu. */
export function CardTools({ scene }: { readonly scene: TreeScene }) {
  const commands = commandsFor(scene).filter(({ id }) => SHOWN[id] !== undefined)
  const openMenu = (): void => {
    const rect = scene.rectOf(scene.focusBox())
    if (rect !== undefined)
      scene.menu.set(toScreen(scene.viewport.camera.get(), { x: rect.right - 24, y: rect.top + 24 }))
  }
  return (
    <div className="card-tools">
      {commands.map(({ id, label, key, run }) => (
        <button
          key={id}
          type="button"
          className="icon"
          tabIndex={-1}
          title={key === undefined ? label : `${label}  (${key})`}
          onClick={run}
        >
          <Icon name={SHOWN[id]!} />
        </button>
      ))}
      <button type="button" className="icon" tabIndex={-1} title={t('What can be done')} onClick={openMenu}>
        <Icon name="more" />
      </button>
    </div>
  )
}
