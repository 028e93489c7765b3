import type { ReactNode } from 'react'
import { restoreSession } from '../sessions/session-actions.ts'
import { t } from '../words/language.ts'
import { useSession } from './app-context.ts'
import { Told } from './Told.tsx'

/** The views, once there is something to view. */
export function SessionState({ children }: { readonly children: ReactNode }) {
  const session = useSession()
  const { status, problem = '' } = session.state.get()
  if (status === 'ready') return children
  if (status === 'loading') return <p className="waiting">{t('Reading the conversation…')}</p>
  if (status === 'gone') {
    const restore = async (): Promise<void> => {
      if (await restoreSession(session.connection, session.id)) await session.load()
    }
    return (
      <div className="waiting">
        <p>{t('This conversation is in the trash.')}</p>
        <button type="button" onClick={() => void restore()}>
          {t('Restore')}
        </button>
      </div>
    )
  }
  return (
    <div className="waiting">
      <p>
        <Told text={problem} />
      </p>
      <button type="button" onClick={() => void session.load()}>
        {t('Try again')}
      </button>
    </div>
  )
}
