import { Told } from '../shell/Told.tsx'
import type { OpenSession } from '../state/open-session.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { AttachmentStrip } from './AttachmentStrip.tsx'
import { chatOf } from './chat-state.ts'
import { giveBack } from './draft.ts'
import type { Outgoing } from './outbox.ts'
import { PlainText } from './PlainText.tsx'

/** What was said and is not in the tree yet. */
export function OutgoingList({ session }: { readonly session: OpenSession }) {
  const all = useStore(chatOf(session).outbox.waiting)
  // The event may be quicker than the answer.
  const missing = all.filter(({ id }) => session.tree.place(id) < 0)
  return missing.map((outgoing) => <OutgoingMessage key={outgoing.id} session={session} outgoing={outgoing} />)
}

function OutgoingMessage({ session, outgoing }: { readonly session: OpenSession; readonly outgoing: Outgoing }) {
  const { outbox } = chatOf(session)
  const isConnected = useStore(session.connection.state) === 'open'
  const { id, text, attachments, state, problem } = outgoing
  const takeBack = (): void => {
    outbox.take(id)
    giveBack({ sessionId: session.id, text, attachments })
  }
  return (
    <div className="chat-row">
      <div className="message message-user message-outgoing">
        <PlainText text={text} />
        <AttachmentStrip attachments={attachments} />
        <div className="row-of-buttons" role="status">
          {state === 'failed' && (
            <span className="problem">
              <Told text={problem ?? ''} />
            </span>
          )}
          {state !== 'failed' && (
            <span className="soft">
              {isConnected ? progressOf(state) : t('Sent as soon as the server is there again.')}
            </span>
          )}
          {state !== 'sending' && (
            <>
              <button type="button" onClick={takeBack}>
                {t('Take back')}
              </button>
              <button type="button" onClick={() => outbox.sendNow(id)}>
                {state === 'failed' ? t('Try again') : t('Send now')}
              </button>
            </>
          )}
        </div>
      </div>
    </div>
  )
}

function progressOf(state: 'waiting' | 'sending'): string {
  return state === 'waiting' ? t('Sent when the answer above is done.') : t('Sending…')
}
