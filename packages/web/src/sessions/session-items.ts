import type { SessionSummary } from '@treeline/protocol'
import type { Connection } from '../server/connection.ts'
import type { MenuItem } from '../shell/Menu.tsx'
import { t } from '../words/language.ts'
import { isForeign } from './arrange-sessions.ts'
import { changeSession, copySession, nameOf, trashSession } from './session-actions.ts'
import { type SessionDialog, sessionDialog } from './session-dialog.ts'

type Groups = readonly (readonly MenuItem[])[]

/** What can be done with a session from the list. */
export function rowItems(connection: Connection, session: SessionSummary, onRename: () => void): Groups {
  const out = [exportItem(session)]
  if (isForeign(session)) return [[continueItem(connection, session)], out]
  return [namingItems(connection, session, onRename), out, endItems(connection, session)]
}

export function namingItems(
  connection: Connection,
  { sessionId, starred }: SessionSummary,
  onRename: () => void,
): readonly MenuItem[] {
  return [
    { label: t('Rename'), icon: 'edit', run: onRename },
    { label: t('Tags…'), icon: 'tag', run: () => ask('tags', sessionId) },
    {
      label: starred ? t('Unpin') : t('Pin to the top'),
      icon: 'star',
      run: () => void changeSession(connection, sessionId, { starred: !starred }),
    },
  ]
}

export function exportItem({ sessionId }: SessionSummary): MenuItem {
  return { label: t('Export…'), icon: 'takeOut', run: () => ask('export', sessionId) }
}

export function continueItem(connection: Connection, session: SessionSummary): MenuItem {
  return {
    label: t('Continue as a copy'),
    icon: 'branch',
    hint: t('Belongs to {tool}; here it is only read.', { tool: session.tool }),
    run: () => void copySession(connection, session.sessionId, 'tree', nameOf(session)),
  }
}

export function endItems(connection: Connection, session: SessionSummary): readonly MenuItem[] {
  const { sessionId, archived, starred } = session
  return [
    {
      label: archived ? t('Bring back from the archive') : t('Archive'),
      icon: 'archive',
      run: () => void changeSession(connection, sessionId, { archived: !archived }),
    },
    {
      label: t('Move to the trash'),
      icon: 'trash',
      isDanger: true,
      isDisabled: starred,
      ...(starred && { hint: t('What is pinned stays. Unpin it first.') }),
      run: () => void trashSession(connection, sessionId, nameOf(session)),
    },
  ]
}

function ask(kind: SessionDialog['kind'], sessionId: string): void {
  sessionDialog.set({ kind, sessionId })
}
