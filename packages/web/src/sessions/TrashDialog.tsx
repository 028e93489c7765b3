import type { TrashedSession } from '@treeline/protocol'
import { useEffect, useMemo } from 'react'
import type { Connection } from '../server/connection.ts'
import { Dialog } from '../shell/Dialog.tsx'
import { Told } from '../shell/Told.tsx'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { formatAgo } from './format-ago.ts'
import { nameOf, openSession } from './session-actions.ts'
import { TrashList } from './trash-list.ts'

interface TrashDialogProps {
  readonly connection: Connection
  readonly onClose: () => void
}

/** What was thrown away, latest first, each with the way back. */
export function TrashDialog({ connection, onClose }: TrashDialogProps) {
  const trash = useMemo(() => new TrashList(connection), [connection])
  const { status, items, nextCursor, restoring, problem } = useStore(trash.state)
  useEffect(() => trash.follow(), [trash])
  const restore = async (item: TrashedSession): Promise<void> => {
    if (!(await trash.restore(item))) return
    onClose()
    openSession(item.sessionId)
  }
  return (
    <Dialog title={t('Trash')} className="trash" onClose={onClose}>
      {problem !== undefined && (
        <p className="problem">
          <Told text={problem} />
        </p>
      )}
      {status === 'loading' && <p className="soft">{t('Loading…')}</p>}
      {status === 'ready' && items.length === 0 && problem === undefined && (
        <p className="soft">
          {t('The trash is empty. What you move here from the menu of a conversation can be brought back.')}
        </p>
      )}
      <ul className="trash-rows">
        {items.map((item) => (
          <li key={item.trashId}>
            <span className="trash-name" title={nameOf(item)}>
              {nameOf(item)}
            </span>
            <small>{item.trashedAt === null ? '' : formatAgo(Date.parse(item.trashedAt))}</small>
            <button
              type="button"
              disabled={restoring.has(item.trashId)}
              aria-label={t('Restore “{name}”', { name: nameOf(item) })}
              onClick={() => void restore(item)}
            >
              {t('Restore')}
            </button>
          </li>
        ))}
      </ul>
      {nextCursor !== null && (
        <button type="button" className="link" onClick={() => void trash.more()}>
          {t('Show more')}
        </button>
      )}
    </Dialog>
  )
}
