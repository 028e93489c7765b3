import type { ChatMessageNode, Role } from '@treeline/protocol'
import { memo } from 'react'
import type { OpenSession } from '../state/open-session.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { chatOf } from './chat-state.ts'
import { detailsOf } from './format-details.ts'
import { LiveBody, MessageBody } from './MessageBody.tsx'
import { MessageEditor } from './MessageEditor.tsx'
import { MessageFailure } from './MessageFailure.tsx'
import { MessageToolbar } from './MessageToolbar.tsx'
import { goToSibling } from './message-actions.ts'
import { commandsFor, type MessageFacts } from './message-commands.ts'
import { onMessageKey } from './message-keys.ts'
import { SiblingSwitch } from './SiblingSwitch.tsx'
import { SummaryCard } from './SummaryCard.tsx'

export interface MessageProps extends MessageFacts {
  readonly session: OpenSession
  readonly siblingIndex: number
  readonly siblingCount: number
  /** Which of how many, for those who cannot see it. */
  readonly position: number
  readonly total: number
  /** It was looked for. */
  readonly isFound: boolean
}

/** One message: who, what, and what can be done with it. One tab stop. */
export const Message = memo(function Message(props: MessageProps) {
  const { session, id, role, node, isMuted, isGenerating, isLinear, siblingIndex, siblingCount } = props
  const editing = useStore(chatOf(session).editing)
  const commands = commandsFor(session, props)
  const isFolded = node?.metadata?.kind !== undefined || role === 'system' || role === 'tool'
  const isCalling = !isGenerating && node?.parts?.at(-1)?.type === 'tool_call'
  const hasSwitch = !isLinear && siblingCount > 1
  const classes = [
    'message',
    `message-${role}`,
    isMuted && 'message-muted',
    isFolded && 'message-folded',
    // With siblings there is a line below for going between them.
    (isFolded || isCalling) && !hasSwitch && 'message-tight',
    props.isFound && 'message-found',
  ]
  return (
    <article
      className={classes.filter(Boolean).join(' ')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: each message is one stop, and its keys work on it.
      tabIndex={0}
      aria-posinset={props.position}
      aria-setsize={props.total}
      aria-busy={isGenerating}
      aria-label={nameOf(role, node)}
      onKeyDown={(event) => {
        onMessageKey(event, { commands, onSibling: (step) => !isLinear && void goToSibling(session, id, step) })
      }}
    >
      <div className="message-box">
        <header className="message-head">
          <span className="message-author">{nameOf(role, node)}</span>
          {isGenerating && <span className="writing" role="img" aria-label={t('Being written')} />}
          {isMuted && <span className="badge">{t('muted')}</span>}
          {node?.metadata?.editedFrom !== undefined && <span className="badge">{t('edited')}</span>}
          {node?.metadata?.labels?.map((label) => (
            <span key={label} className="badge">
              {label}
            </span>
          ))}
        </header>
        {editing.has(id) && node !== undefined ? (
          <MessageEditor session={session} node={node} />
        ) : (
          <Content {...props} />
        )}
      </div>
      <footer className="message-foot">
        {hasSwitch && <SiblingSwitch session={session} id={id} index={siblingIndex} count={siblingCount} />}
        {!editing.has(id) && <MessageToolbar commands={commands} />}
        <span className="message-details">{node === undefined ? '' : detailsOf(node)}</span>
      </footer>
    </article>
  )
})

function Content({ session, id, node, isGenerating }: MessageProps) {
  if (isGenerating) return <LiveBody session={session} id={id} />
  if (node === undefined) return <div className="message-waiting" aria-hidden="true" />
  if (node.metadata?.kind !== undefined || node.role === 'system') return <SummaryCard node={node} />
  return (
    <>
      <MessageBody session={session} node={node} />
      <MessageFailure session={session} node={node} />
    </>
  )
}

function nameOf(role: Role, node: ChatMessageNode | undefined): string {
  switch (role) {
    case 'user':
      return t('You')
    case 'assistant':
      return node?.metadata?.model ?? t('Model')
    case 'tool':
      return t('Tool')
    case 'system':
      return t('System')
  }
}
