import type { SessionSummary } from '@treeline/protocol'
import { type CSSProperties, memo, useState } from 'react'
import { Icon } from '../chat/Icon.tsx'
import type { Connection } from '../server/connection.ts'
import { Menu } from '../shell/Menu.tsx'
import { t, useLanguage } from '../words/language.ts'
import { isForeign } from './arrange-sessions.ts'
import { formatAgo } from './format-ago.ts'
import { NameField } from './NameField.tsx'
import { changeSession, nameOf, openSession } from './session-actions.ts'
import { rowItems } from './session-items.ts'

interface SessionRowProps {
  readonly connection: Connection
  readonly session: SessionSummary
  readonly isOpen: boolean
  /** The one that Tab goes to. */
  readonly isStop: boolean
  readonly position: number
  readonly total: number
  readonly style: CSSProperties
}

/** One conversation of the list: what it is called, when, how large, and what can be done with it. */
export const SessionRow = memo(function SessionRow(props: SessionRowProps) {
  const { connection, session, isOpen, isStop, position, total, style } = props
  useLanguage()
  const [isNaming, setNaming] = useState(false)
  const name = nameOf(session)
  const isOthers = isForeign(session)
  return (
    <li
      className={isOpen ? 'session-row session-row-open' : 'session-row'}
      style={style}
      aria-posinset={position}
      aria-setsize={total}
      data-position={position}
    >
      {isNaming ? (
        <NameField
          name={session.title}
          placeholder={name}
          onName={(title) => void changeSession(connection, session.sessionId, { title })}
          onEnd={() => setNaming(false)}
        />
      ) : (
        <button
          type="button"
          className="session-link"
          tabIndex={isStop ? 0 : -1}
          aria-current={isOpen ? 'page' : undefined}
          title={name}
          onClick={() => openSession(session.sessionId)}
          onDoubleClick={() => !isOthers && setNaming(true)}
          onKeyDown={(event) => {
            if (event.key === 'F2' && !isOthers) setNaming(true)
          }}
        >
          <span className="session-name">
            {session.starred && <Icon name="star" />}
            {session.starred && <span className="hidden-label">{t('Pinned')}</span>}
            {name}
          </span>
          <small className="session-facts">
            {session.generating > 0 && <span className="writing" role="img" aria-label={t('Being written')} />}
            {isOthers && <span className="badge">{session.tool}</span>}
            {session.archived && <span className="badge">{t('archived')}</span>}
            <span className="session-size">{factsOf(session)}</span>
            {session.tags.length > 0 && <span className="tag">{session.tags.join(', ')}</span>}
          </small>
        </button>
      )}
      <Menu
        label={t('What to do with “{name}”', { name })}
        button={<Icon name="more" />}
        groups={() => rowItems(connection, session, () => setNaming(true))}
      />
    </li>
  )
})

function factsOf({ updatedAt, branchCount, nodeCount }: SessionSummary): string {
  const ago = formatAgo(Date.parse(updatedAt))
  if (nodeCount === 0) return ago
  if (branchCount > 1) return `${ago} · ${t('{count} branches', { count: branchCount })}`
  return `${ago} · ${nodeCount === 1 ? t('1 message') : t('{count} messages', { count: nodeCount })}`
}
