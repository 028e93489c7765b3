import { useEffect } from 'react'
import { Shortcuts } from '../keys/Shortcuts.tsx'
import { SessionDialogs } from '../sessions/SessionDialogs.tsx'
import { SessionList } from '../sessions/SessionList.tsx'
import { Welcome } from '../sessions/Welcome.tsx'
import { useStore } from '../state/store.ts'
import { useLanguage } from '../words/language.ts'
import { SessionContext } from './app-context.ts'
import { Notices } from './Notices.tsx'
import { OfflineBar } from './OfflineBar.tsx'
import { followHistory, route } from './route.ts'
import { SessionState } from './SessionState.tsx'
import { SessionViews } from './SessionViews.tsx'
import { TopBar } from './TopBar.tsx'
import { useOpenSession } from './use-open-session.ts'

export function App() {
  const language = useLanguage()
  const { sessionId } = useStore(route)
  const session = useOpenSession(sessionId)
  useEffect(followHistory, [])
  useEffect(() => {
    // By this a page is read aloud, and hyphenated.
    document.documentElement.lang = language === 'zh' ? 'zh-Hans' : 'en'
  }, [language])
  return (
    <div className="app">
      <SessionList />
      {sessionId === undefined && <Welcome />}
      {sessionId !== undefined && session === undefined && <main className="empty" />}
      {session !== undefined && (
        <SessionContext value={session}>
          <main className="session">
            <TopBar />
            <OfflineBar />
            <SessionState>
              <SessionViews />
            </SessionState>
          </main>
        </SessionContext>
      )}
      <SessionDialogs />
      <Shortcuts />
      <Notices />
    </div>
  )
}
