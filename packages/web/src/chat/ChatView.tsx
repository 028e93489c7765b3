import { useMemo } from 'react'
import { useSession } from '../shell/app-context.ts'
import { route } from '../shell/route.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { ApprovalDock } from './ApprovalDock.tsx'
import { Composer } from './Composer.tsx'
import { chatOf } from './chat-state.ts'
import { ElsewhereBar } from './ElsewhereBar.tsx'
import { EmptyChat } from './EmptyChat.tsx'
import { FoundElsewhere } from './FoundElsewhere.tsx'
import { MessageList } from './MessageList.tsx'
import { OutgoingList } from './OutgoingList.tsx'
import { TrunkEnd } from './TrunkEnd.tsx'
import { trunkRows } from './trunk-rows.ts'

/** The trunk as a plain conversation: what counts, in order, and a box to go on. */
export function ChatView() {
  const session = useSession()
  const { tree } = session
  const { mode } = session.state.get()
  const { opened: openedStore, outbox } = chatOf(session)
  const opened = useStore(openedStore)
  const outgoing = useStore(outbox.waiting)
  const { nodeId: foundId } = useStore(route)
  // The tree is one object that changes: it says so by its revision.
  const rows = useMemo(() => trunkRows(tree, { mode, opened }), [tree, tree.revision, tree.activeLeafId, mode, opened])
  return (
    <section className="chat" aria-label={t('Chat')}>
      {rows.length === 0 && outgoing.length === 0 ? (
        <EmptyChat session={session} />
      ) : (
        <MessageList key={session.id} session={session} rows={rows} foundId={foundId}>
          <TrunkEnd session={session} rows={rows} />
          <OutgoingList session={session} />
        </MessageList>
      )}
      <FoundElsewhere session={session} rows={rows} foundId={foundId} />
      <ApprovalDock session={session} />
      <ElsewhereBar session={session} />
      <Composer key={`composer ${session.id}`} session={session} rows={rows} />
    </section>
  )
}
