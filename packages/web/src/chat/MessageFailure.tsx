import type { ChatMessageNode } from '@treeline/protocol'
import type { OpenSession } from '../state/open-session.ts'
import { t } from '../words/language.ts'
import { answerAgain } from './message-actions.ts'

interface MessageFailureProps {
  readonly session: OpenSession
  readonly node: ChatMessageNode
}

/** How an answer ended when it did not end well, and the way on. */
export function MessageFailure({ session, node }: MessageFailureProps) {
  const said = sayWhy(node)
  if (said === undefined) return null
  return (
    <div className={node.status === 'error' ? 'failure failure-error' : 'failure'} role="note">
      <p>{said}</p>
      {node.role === 'assistant' && (
        <button type="button" onClick={() => void answerAgain(session, node.id)}>
          {t('Try again')}
        </button>
      )}
    </div>
  )
}

function sayWhy({ status, metadata = {} }: ChatMessageNode): string | undefined {
  const { error, finishReason } = metadata
  if (finishReason === 'length') return t('It stopped at the longest answer allowed. Say “go on” to get the rest.')
  if (finishReason === 'cancelled') return t('You stopped it here.')
  if (status !== 'error') return undefined
  if (error === 'interrupted') return t('The server was stopped while this was written. What had come is kept.')
  return error === undefined || error === 'error' ? t('No answer came, and nobody said why.') : error
}
