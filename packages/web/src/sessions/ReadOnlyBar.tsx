import { useSession } from '../shell/app-context.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { isForeign } from './arrange-sessions.ts'
import { copySession, nameOf } from './session-actions.ts'
import { directoryOf } from './session-directory.ts'

/** Of a conversation of another tool: it is read where it lies, and goes on here only as a copy. */
export function ReadOnlyBar() {
  const { connection, id } = useSession()
  const directory = directoryOf(connection)
  useStore(directory.state)
  const summary = directory.summary(id)
  if (summary === undefined || !isForeign(summary)) return null
  return (
    <p className="session-bar read-only-bar">
      <span>{t('This conversation belongs to {tool}: here it is only read.', { tool: summary.tool })}</span>
      <button type="button" onClick={() => void copySession(connection, id, 'tree', nameOf(summary))}>
        {t('Continue as a copy')}
      </button>
    </p>
  )
}
