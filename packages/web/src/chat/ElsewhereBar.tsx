import { tellProblem } from '../shell/notices.ts'
import type { OpenSession } from '../state/open-session.ts'
import { t } from '../words/language.ts'
import { stopAnswers } from './message-actions.ts'
import { generatingElsewhere } from './trunk-rows.ts'

/** Answers on their way that this trunk does not show: go there, or stop them. */
export function ElsewhereBar({ session }: { readonly session: OpenSession }) {
  const ids = generatingElsewhere(session.tree)
  const [next] = ids
  if (next === undefined || session.state.get().mode === 'linear') return null
  return (
    <div className="chat-bar" role="status">
      <span className="writing" />
      <span>
        {ids.length === 1
          ? t('1 answer is being written on another branch.')
          : t('{count} answers are being written on other branches.', { count: ids.length })}
      </span>
      <button type="button" className="link" onClick={() => void session.setActiveLeaf(next).catch(tellProblem)}>
        {t('Go there')}
      </button>
      <button type="button" className="link" onClick={() => void stopAnswers(session, new Set(ids))}>
        {ids.length === 1 ? t('Stop it') : t('Stop them')}
      </button>
    </div>
  )
}
