import type { ChatMessageNode } from '@treeline/protocol'
import { Told } from '../shell/Told.tsx'
import type { OpenSession } from '../state/open-session.ts'
import { t } from '../words/language.ts'
import { explainFailure } from './explain-failure.ts'
import { answerAgain } from './message-actions.ts'

interface MessageFailureProps {
  readonly session: OpenSession
  readonly node: ChatMessageNode
}

/** How an answer ended when it did not end well, and the way on. */
export function MessageFailure({ session, node }: MessageFailureProps) {
  const said = explainFailure(node)
  if (said === undefined) return null
  return (
    <div className={node.status === 'error' ? 'failure failure-error' : 'failure'} role="note">
      <p>
        <Told text={said} />
      </p>
      {node.role === 'assistant' && (
        <button type="button" onClick={() => void answerAgain(session, node.id)}>
          {t('Try again')}
        </button>
      )}
    </div>
  )
}
