import { useEffect } from 'react'
import { ChatView } from '../chat/ChatView.tsx'
import { LinePanel } from '../line/LinePanel.tsx'
import { SessionList } from '../sessions/SessionList.tsx'
import { useStore } from '../state/store.ts'
import { TreeView } from '../tree/TreeView.tsx'
import { t, useLanguage } from '../words/language.ts'
import { SessionContext } from './app-context.ts'
import { Notices } from './Notices.tsx'
import { panel } from './panel.ts'
import { followHistory, route } from './route.ts'
import { SessionState } from './SessionState.tsx'
import { TopBar } from './TopBar.tsx'
import { useOpenSession } from './use-open-session.ts'

export function App() {
  useLanguage()
  const { sessionId, view } = useStore(route)
  const session = useOpenSession(sessionId)
  const shownPanel = useStore(panel)
  useEffect(followHistory, [])
  return (
    <div className="app">
      <SessionList />
      {session === undefined ? (
        <main className="empty">
          <p>{t('Choose a conversation on the left, or begin a new one.')}</p>
        </main>
      ) : (
        <SessionContext value={session}>
          <main className="session">
            <TopBar />
            <SessionState>
              <div className="views">
                {view === 'tree' ? <TreeView /> : <ChatView />}
                {shownPanel === 'line' && <LinePanel />}
              </div>
            </SessionState>
          </main>
        </SessionContext>
      )}
      <Notices />
    </div>
  )
}
