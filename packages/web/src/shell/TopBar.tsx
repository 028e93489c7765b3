import { useState } from 'react'
import { Icon } from '../chat/Icon.tsx'
import { NameField } from '../sessions/NameField.tsx'
import { changeSession } from '../sessions/session-actions.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import type { View } from './address.ts'
import { useConnection, useSession } from './app-context.ts'
import { panel } from './panel.ts'
import { goTo, route } from './route.ts'
import { SessionMenu } from './SessionMenu.tsx'
import { sidebar, toggleSidebar } from './sidebar.ts'
import { useName } from './use-name.ts'

export function TopBar() {
  const session = useSession()
  const { view } = useStore(route)
  const shown = useStore(panel)
  const { isOpen: isListOpen } = useStore(sidebar)
  const [isNaming, setNaming] = useState(false)
  const { title, mode, status } = session.state.get()
  const isThere = status !== 'failed'
  const name = useName(session)
  const isLine = shown === 'line'
  return (
    <header className="top-bar">
      <button
        type="button"
        className={isListOpen ? 'icon narrow-only' : 'icon'}
        title={t('Show the list')}
        aria-label={t('Show the list')}
        onClick={toggleSidebar}
      >
        <Icon name="side" />
      </button>
      {isNaming ? (
        <NameField
          name={title}
          placeholder={name}
          onName={(name) => void changeSession(session.connection, session.id, { title: name })}
          onEnd={() => setNaming(false)}
        />
      ) : (
        <h1 title={name}>{isThere ? name : t('Cannot be opened')}</h1>
      )}
      <ConnectionDot />
      {/* A plain chat has no tree to see (T36). */}
      {isThere && mode === 'tree' && (
        <nav className="segmented">
          <ViewButton view="chat" current={view} label={t('Chat')} />
          <ViewButton view="tree" current={view} label={t('Tree')} />
        </nav>
      )}
      {isThere && (
        <button
          type="button"
          aria-pressed={isLine}
          title={isLine ? t('Hide the line') : t('Show the line: what the model will get')}
          onClick={() => panel.set(isLine ? 'none' : 'line')}
        >
          {t('Line')}
        </button>
      )}
      {isThere && <SessionMenu onRename={() => setNaming(true)} />}
    </header>
  )
}

function ViewButton({ view, current, label }: { readonly view: View; readonly current: View; readonly label: string }) {
  return (
    <button type="button" aria-pressed={view === current} onClick={() => goTo({ view })}>
      {label}
    </button>
  )
}

function ConnectionDot() {
  const state = useStore(useConnection().state)
  if (state !== 'open') return null
  const text = t('Live: what others do appears at once')
  return <span className="dot" role="img" aria-label={text} title={text} />
}
