import type { OpenSession } from '../state/open-session.ts'
import { t } from '../words/language.ts'
import { chatOf } from './chat-state.ts'
import { setMuted } from './message-actions.ts'

interface HiddenMarkProps {
  readonly session: OpenSession
  readonly ids: readonly string[]
  readonly isOpen: boolean
}

/** Where muted messages stand: shows them, and unmutes them. */
export function HiddenMark({ session, ids, isOpen }: HiddenMarkProps) {
  const toggle = (): void =>
    chatOf(session).opened.update((before) => {
      const next = new Set(before)
      for (const id of ids)
        if (isOpen) next.delete(id)
        else next.add(id)
      return next
    })
  return (
    <div className="hidden-row">
      <button type="button" className="hidden-mark" aria-expanded={isOpen} onClick={toggle}>
        {ids.length === 1 ? t('1 hidden') : t('{count} hidden', { count: ids.length })}
      </button>
      <button type="button" className="link" onClick={() => void setMuted(session, ids, false)}>
        {t('Unmute')}
      </button>
    </div>
  )
}
