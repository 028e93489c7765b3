import type { OpenSession } from '../state/open-session.ts'
import { t } from '../words/language.ts'
import { Icon } from './Icon.tsx'
import { goToSibling } from './message-actions.ts'

interface SiblingSwitchProps {
  readonly session: OpenSession
  readonly id: string
  readonly index: number
  readonly count: number
}

/** ◀ 2/3 ▶ */
export function SiblingSwitch({ session, id, index, count }: SiblingSwitchProps) {
  return (
    <fieldset className="siblings" aria-label={t('Version {index} of {count}', { index: index + 1, count })}>
      <button
        type="button"
        className="icon"
        tabIndex={-1}
        disabled={index === 0}
        title={t('Version before  [')}
        aria-label={t('Version before  [')}
        onClick={() => void goToSibling(session, id, -1)}
      >
        <Icon name="left" />
      </button>
      <span>
        {index + 1}/{count}
      </span>
      <button
        type="button"
        className="icon"
        tabIndex={-1}
        disabled={index === count - 1}
        title={t('Next version  ]')}
        aria-label={t('Next version  ]')}
        onClick={() => void goToSibling(session, id, 1)}
      >
        <Icon name="right" />
      </button>
    </fieldset>
  )
}
