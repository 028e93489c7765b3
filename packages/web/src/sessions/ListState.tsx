import type { Connection } from '../server/connection.ts'
import { Told } from '../shell/Told.tsx'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import type { ListFilter } from './arrange-sessions.ts'
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
        <p className="problem">
          <Told text={problem} />
        </p>
        <button type="button" onClick={() => void directory.reload()}>
          {t('Try again')}
        </button>
      </div>
    )
  }
  return (
    <div className="session-scroll results-note">
      <p>{emptyText(filter)}</p>
      {(filter.pinned || filter.tag !== undefined) && (
        <button type="button" onClick={() => directory.setFilter({ pinned: false, tag: undefined })}>
          {t('Show all')}
        </button>
      )}
    </div>
  )
}

function emptyText({ tag, pinned }: ListFilter): string {
  if (tag !== undefined && pinned) return t('Nothing pinned has the tag “{tag}”.', { tag })
  if (tag !== undefined) return t('None has the tag “{tag}”.', { tag })
  if (pinned) return t('Nothing is pinned.')
  return t('Your conversations will stand here. Each one is a tree: no answer overwrites another.')
}
