import { type RefObject, useEffect } from 'react'
import { listenForKeys } from '../keys/global-keys.ts'
import { registerKeys } from '../keys/keys.ts'
import type { Connection } from '../server/connection.ts'
import { showSidebar } from '../shell/sidebar.ts'
import { t } from '../words/language.ts'
import { beginSession } from './session-actions.ts'

/** The keys that lead to the list from anywhere. */
export function useListKeys(connection: Connection, field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const search = (): void => {
      showSidebar()
      requestAnimationFrame(() => field.current?.focus())
    }
    return listenForKeys({ '/': search, n: () => void beginSession(connection) })
  }, [connection, field])
  useEffect(
    () =>
      registerKeys(
        () => t('Conversations'),
        [
          { keys: 'n', label: () => t('New chat') },
          { keys: '/', label: () => t('Search all conversations') },
          { keys: '↑ ↓', label: () => t('From one to the next, when the list has the focus') },
          { keys: 'Enter', label: () => t('Open it') },
          { keys: '→', label: () => t('To its menu') },
          { keys: 'F2', label: () => t('Rename') },
        ],
      ),
    [],
  )
}
