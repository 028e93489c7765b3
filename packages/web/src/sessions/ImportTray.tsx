import { Icon } from '../chat/Icon.tsx'
import { Told } from '../shell/Told.tsx'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { dismissImport, type FileImport, imports } from './imports.ts'
import { openSession } from './session-actions.ts'

/** Files on their way in, and what came of them, until somebody has read it. */
export function ImportTray() {
  const all = useStore(imports)
  if (all.length === 0) return null
  return (
    <ul className="import-tray" aria-label={t('Imported files')} aria-live="polite">
      {all.map((one) => (
        <li key={one.id}>
          <span className="import-name">{one.name}</span>
          {(one.done !== undefined || one.problem !== undefined) && (
            <button
              type="button"
              className="icon"
              title={t('Dismiss')}
              aria-label={t('Dismiss')}
              onClick={() => dismissImport(one.id)}
            >
              <Icon name="close" />
            </button>
          )}
          <Outcome of={one} />
        </li>
      ))}
    </ul>
  )
}

function Outcome({ of: { name, share, done, problem } }: { readonly of: FileImport }) {
  if (problem !== undefined)
    return (
      <p className="problem">
        <Told text={problem} />
      </p>
    )
  if (done === undefined) return <progress aria-label={name} {...(share < 1 && { value: share })} />
  const { sessionId, imported, skipped, warnings } = done
  return (
    <>
      <p>
        {imported === 0 && skipped > 0
          ? t('All of it was here already.')
          : skipped === 0
            ? t('{imported} imported', { imported })
            : t('{imported} imported, {skipped} skipped', { imported, skipped })}{' '}
        <button type="button" className="link" onClick={() => openSession(sessionId)}>
          {t('Open')}
        </button>
      </p>
      {warnings.length > 0 && (
        <details>
          <summary>{warnings.length === 1 ? t('1 remark') : t('{count} remarks', { count: warnings.length })}</summary>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
