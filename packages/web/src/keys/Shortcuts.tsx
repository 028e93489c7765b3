import { useEffect, useState } from 'react'
import { Dialog } from '../shell/Dialog.tsx'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { listenForKeys } from './global-keys.ts'
import { keyAreas, registerKeys, said } from './keys.ts'

/** The list that `?` shows: of what is on screen now, what each key does. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false)
  const areas = useStore(keyAreas)
  useEffect(() => listenForKeys({ '?': () => setOpen(true) }), [])
  useEffect(
    () =>
      registerKeys(
        () => t('Everywhere'),
        [
          { keys: '?', label: () => t('Show this list') },
          { keys: 'Esc', label: () => t('Close what is open') },
        ],
      ),
    [],
  )
  if (!isOpen) return null
  return (
    <Dialog title={t('Keyboard shortcuts')} className="shortcuts" onClose={() => setOpen(false)}>
      <div className="shortcut-areas">
        {areas.map((area) => (
          <section key={said(area.name)}>
            <h3>{said(area.name)}</h3>
            <dl>
              {area.keys.map(({ keys, label }) => (
                <div key={keys}>
                  <dt>
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{said(label)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
