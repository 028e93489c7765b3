import { useSession } from '../shell/app-context.ts'
import { t } from '../words/language.ts'
import { changeSession } from './session-actions.ts'

/** Says what a plain chat is, and the way back (T36, X50). */
export function LinearBar() {
  const session = useSession()
  if (session.state.get().mode !== 'linear') return null
  return (
    <p className="session-bar">
      <span>
        {t(
          'Plain chat: it goes along the newest message, and everything counts. Branches and what you muted are kept.',
        )}
      </span>
      <button
        type="button"
        className="link"
        onClick={() => void changeSession(session.connection, session.id, { mode: 'tree' })}
      >
        {t('Back to the tree')}
      </button>
    </p>
  )
}
