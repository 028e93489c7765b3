import { useRef } from 'react'
import { Icon } from '../chat/Icon.tsx'
import { useConnection } from '../shell/app-context.ts'
import { showSidebar, sidebar } from '../shell/sidebar.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { importFiles } from './imports.ts'
import { beginSession } from './session-actions.ts'
import { directoryOf } from './session-directory.ts'

/** Where nothing is open: what this is, and the three ways to begin. */
export function Welcome() {
  const connection = useConnection()
  const { sessions, status } = useStore(directoryOf(connection).state)
  const { isOpen } = useStore(sidebar)
  const picker = useRef<HTMLInputElement>(null)
  return (
    <main className="welcome">
      <button
        type="button"
        className={isOpen ? 'icon welcome-list narrow-only' : 'icon welcome-list'}
        title={t('Show the list')}
        aria-label={t('Show the list')}
        onClick={showSidebar}
      >
        <Icon name="side" />
      </button>
      <div className="welcome-inside">
        <h1>{t('Every conversation is a tree. Every prompt is a line through it.')}</h1>
        <p>
          {t(
            'Ask again, put a question differently, try another model: every version is kept, and you decide which of them the model gets to see.',
          )}
        </p>
        <div className="welcome-ways">
          <button type="button" className="primary" onClick={() => void beginSession(connection)}>
            <Icon name="plus" /> {t('New chat')} <kbd>n</kbd>
          </button>
          <button type="button" onClick={() => picker.current?.click()}>
            <Icon name="bringIn" /> {t('Import a conversation from a file')}
          </button>
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            onChange={({ target }) => {
              void importFiles([...(target.files ?? [])])
              target.value = ''
            }}
          />
        </div>
        <p className="soft">
          {status === 'ready' && sessions.length === 0
            ? t(
                'You can also drop a file anywhere on this page: logs of pi, oh-my-pi, Neovate and ComfyTavern, and our own exports.',
              )
            : t('Or choose one from the list. Press ? for the keys.')}
        </p>
      </div>
    </main>
  )
}
