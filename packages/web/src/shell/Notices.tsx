import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { dismiss, notices } from './notices.ts'
import { Told } from './Told.tsx'

export function Notices() {
  const shown = useStore(notices)
  return (
    <div className="notices" role="status" aria-live="polite">
      {shown.map(({ id, kind, text, action }) => (
        <div key={id} className={`notice notice-${kind}`}>
          {kind === 'busy' && <i className="writing" />}
          <span>
            <Told text={text} />
          </span>
          {action && (
            <button
              type="button"
              className="link"
              onClick={() => {
                dismiss(id)
                action.run()
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" className="icon" aria-label={t('Dismiss')} onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  )
}
