import { useEffect } from 'react'
import { ChatView } from '../chat/ChatView.tsx'
import { CompareDialog } from '../compare/CompareDialog.tsx'
import { CHAT_KEYS } from '../keys/chat-keys.ts'
import { registerKeys } from '../keys/keys.ts'
import { LinePanel } from '../line/LinePanel.tsx'
import { LinearBar } from '../sessions/LinearBar.tsx'
import { ReadOnlyBar } from '../sessions/ReadOnlyBar.tsx'
import { useStore } from '../state/store.ts'
import { TreeView } from '../tree/TreeView.tsx'
import { t } from '../words/language.ts'
import { useSession } from './app-context.ts'
import { tellOfJobs } from './job-notices.ts'
import { panel } from './panel.ts'
import { route } from './route.ts'
import { useName } from './use-name.ts'

/** The view that was chosen, what stands beside it, and what has to be known about this conversation. */
export function SessionViews() {
  const session = useSession()
  const { view } = useStore(route)
  const shownPanel = useStore(panel)
  useEffect(() => tellOfJobs(session), [session])
  const name = useName(session)
  useEffect(() => {
    document.title = `${name} · Treeline`
    return () => {
      document.title = 'Treeline'
    }
  }, [name])
  // A plain chat hides the tree, whatever the address says (T36).
  const isTree = view === 'tree' && session.state.get().mode === 'tree'
  useEffect(() => (isTree ? undefined : registerKeys(() => t('Chat'), CHAT_KEYS)), [isTree])
  return (
    <>
      <ReadOnlyBar />
      <LinearBar />
      <div className="views">
        {isTree ? <TreeView /> : <ChatView />}
        {shownPanel === 'line' && <LinePanel />}
      </div>
      <CompareDialog />
    </>
  )
}
