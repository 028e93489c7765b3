import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { useConnection } from './app-context.ts'

/** Says that what others do does not arrive, for as long as that is so. */
export function OfflineBar() {
  const isOffline = useStore(useConnection().isOffline)
  return (
    // Always there, so that it is read aloud when something is in it.
    <div role="status">
      {isOffline && <p className="session-bar offline-bar">{t('Not connected. Trying again; nothing is lost.')}</p>}
    </div>
  )
}
