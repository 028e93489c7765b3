import type { Connection } from '../server/connection.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { SessionRows } from './SessionRows.tsx'
import { directoryOf } from './session-directory.ts'

interface ListStateProps {
  readonly connection: Connection
  readonly openId: string | undefined
}

/** The list, or why there is none. */
export function ListState({ connection, openId }: ListStateProps) {
  const directory = directoryOf(connection)
  const { status, problem = '', sessions, filter } = useStore(directory.state)
  if (sessions.length > 0) return <SessionRows connection={connection} sessions={sessions} openId={openId} />
  if (status === 'loading') return <p className="session-scroll results-note">{t('Loading…')}</p>
  if (status === 'failed') {
    return (
      <div className="session-scroll results-note">
        <p className="problem">{problem}</p>
        <button type="button" onClick={() => void directory.reload()}>
          {t('Try again')}
        </button>
      </div>
    )
  }
  return (
    <div className="session-scroll results-note">
      {filter.tag === undefined ? (
        <p>{t('Your conversations will stand here. Each one is a tree: no answer overwrites another.')}</p>
      ) : (
        <p>{t('None has the tag “{tag}”.', { tag: filter.tag })}</p>
      )}
    </div>
  )
}
