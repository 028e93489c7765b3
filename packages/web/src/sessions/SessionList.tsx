import { useEffect, useMemo, useRef, useState } from 'react'
import { Icon } from '../chat/Icon.tsx'
import { useConnection } from '../shell/app-context.ts'
import { route } from '../shell/route.ts'
import { SettingsMenu } from '../shell/SettingsMenu.tsx'
import { closeDrawer, sidebar, toggleSidebar } from '../shell/sidebar.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { DropZone } from './DropZone.tsx'
import { FilterBar } from './FilterBar.tsx'
import { ImportTray } from './ImportTray.tsx'
import { importFiles } from './imports.ts'
import { ListState } from './ListState.tsx'
import { SearchResults } from './SearchResults.tsx'
import { SessionSearch } from './search-state.ts'
import { beginSession } from './session-actions.ts'
import { sessionDialog } from './session-dialog.ts'
import { directoryOf } from './session-directory.ts'
import { useDrawer } from './use-drawer.ts'
import { useListKeys } from './use-list-keys.ts'

/** All conversations: found, begun, taken in, put in order. Beside the view, or over it on a narrow screen. */
export function SessionList() {
  const connection = useConnection()
  const directory = directoryOf(connection)
  const { sessionId } = useStore(route)
  const { isOpen, isOver } = useStore(sidebar)
  const search = useMemo(() => new SessionSearch(connection), [connection])
  const [words, setWords] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => directory.follow(), [directory])
  useEffect(() => directory.open(sessionId), [directory, sessionId])
  useListKeys(connection, field)
  const list = useRef<HTMLElement>(null)
  useDrawer(isOver, list)
  const lookFor = (text: string): void => {
    setWords(text)
    search.lookFor(text)
  }
  const classes = ['sidebar', !isOpen && 'sidebar-closed', isOver && 'sidebar-over'].filter(Boolean).join(' ')
  return (
    <>
      {isOver && (
        <button type="button" className="drawer-ground" aria-label={t('Close the list')} onClick={closeDrawer} />
      )}
      <aside className={classes} aria-label={t('Conversations')} ref={list}>
        <header className="sidebar-head">
          <span className="brand">Treeline</span>
          <ImportButton />
          <button
            type="button"
            className="icon"
            title={t('Close the list')}
            aria-label={t('Close the list')}
            onClick={toggleSidebar}
          >
            <Icon name="side" />
          </button>
        </header>
        <button
          type="button"
          className="new-chat"
          title={`${t('New chat')}  n`}
          onClick={() => void beginSession(connection)}
        >
          <Icon name="plus" /> {t('New chat')}
        </button>
        <search className="session-search">
          <Icon name="search" />
          <input
            ref={field}
            type="search"
            value={words}
            placeholder={t('Search all conversations')}
            aria-label={t('Search all conversations')}
            onChange={({ target }) => lookFor(target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape' && words !== '') {
                event.preventDefault()
                lookFor('')
              }
              if (event.key !== 'ArrowDown') return
              event.preventDefault()
              document.querySelector<HTMLElement>('.sidebar .result, .session-link[tabindex="0"]')?.focus()
            }}
          />
        </search>
        {words.trim() === '' ? (
          <>
            <FilterBar directory={directory} />
            <ListState connection={connection} openId={sessionId} />
          </>
        ) : (
          <SearchResults search={search} />
        )}
        <ImportTray />
        <footer className="sidebar-foot">
          <SettingsMenu />
          <button type="button" className="trash-button" onClick={() => sessionDialog.set({ kind: 'trash' })}>
            <Icon name="trash" /> {t('Trash')}
          </button>
        </footer>
      </aside>
      <DropZone />
    </>
  )
}

function ImportButton() {
  const picker = useRef<HTMLInputElement>(null)
  const label = t('Import a file')
  return (
    <>
      <button type="button" className="icon" title={label} aria-label={label} onClick={() => picker.current?.click()}>
        <Icon name="bringIn" />
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
    </>
  )
}
