import type { ReactNode } from 'react'
import { t } from '../words/language.ts'
import { useSession } from './app-context.ts'

/** The views, once there is something to view. */
export function SessionState({ children }: { readonly children: ReactNode }) {
  const session = useSession()
  const { status, problem = '' } = session.state.get()
  if (status === 'ready') return children
  if (status === 'loading') return <p className="waiting">{t('Reading the conversation…')}</p>
  if (status === 'gone') return <p className="waiting">{t('This conversation was deleted.')}</p>
  return (
    <div className="waiting">
      <p>{t('It cannot be read: {problem}', { problem })}</p>
      <button type="button" onClick={() => void session.load()}>
        {t('Try again')}
      </button>
    </div>
  )
}
