import { Icon } from '../chat/Icon.tsx'
import { openCompare } from '../compare/compare-state.ts'
import { isForeign } from '../sessions/arrange-sessions.ts'
import { changeSession, copySession, nameOf } from '../sessions/session-actions.ts'
import { sessionDialog } from '../sessions/session-dialog.ts'
import { directoryOf } from '../sessions/session-directory.ts'
import { continueItem, endItems, exportItem, namingItems } from '../sessions/session-items.ts'
import type { OpenSession } from '../state/open-session.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { useSession } from './app-context.ts'
import { Menu, type MenuItem } from './Menu.tsx'
import { lookItems } from './SettingsMenu.tsx'

/** Everything that can be done with the conversation that is open, as a whole. */
export function SessionMenu({ onRename }: { readonly onRename: () => void }) {
  const session = useSession()
  useStore(directoryOf(session.connection).state)
  return (
    <Menu
      label={t('What to do with this conversation')}
      button={<Icon name="more" />}
      groups={() => [...itemsOf(session, onRename), ...lookItems()]}
    />
  )
}

function itemsOf(session: OpenSession, onRename: () => void): readonly (readonly MenuItem[])[] {
  const { connection, id } = session
  const summary = directoryOf(connection).summary(id)
  if (summary === undefined) return []
  const name = nameOf(summary)
  const isLinear = session.state.get().mode === 'linear'
  if (isForeign(summary)) return [[continueItem(connection, summary), exportItem(summary)]]
  const linear: MenuItem = {
    label: t('Plain chat'),
    hint: t('Without branches and muting; nothing is changed by it.'),
    isChecked: isLinear,
    run: () => void changeSession(connection, id, { mode: isLinear ? 'tree' : 'linear' }),
  }
  const treeItems: readonly MenuItem[] = [
    { label: t('Compare branches…'), icon: 'compare', run: () => openCompare({}) },
    {
      label: t('Compact the line…'),
      icon: 'compact',
      run: () => sessionDialog.set({ kind: 'compact', sessionId: id }),
    },
  ]
  return [
    namingItems(connection, summary, onRename),
    [linear, ...(isLinear ? [] : treeItems)],
    [
      exportItem(summary),
      {
        label: t('Fork the trunk into a new chat'),
        icon: 'branch',
        run: () => void copySession(connection, id, 'path', name),
      },
      {
        label: t('Fork the whole tree'),
        icon: 'tree',
        run: () => void copySession(connection, id, 'tree', name),
      },
    ],
    endItems(connection, summary),
  ]
}
