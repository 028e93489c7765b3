import { t } from '../words/language.ts'
import type { LineLens } from './line-lens.ts'
import { coveredBy } from './summaries.ts'

interface SendSwitchProps {
  readonly lens: LineLens
  readonly nodeId: string
  readonly isSent: boolean
}

/** Whether a message is sent. It only tries it out: nothing is changed before it is applied. */
export function SendSwitch({ lens, nodeId, isSent }: SendSwitchProps) {
  const { session } = lens
  // In a plain chat everything counts, and a compaction is not muted but undone.
  if (session.state.get().mode === 'linear' || coveredBy(session, nodeId) === 'all') return null
  const label = isSent ? t('Try it without this message') : t('Try it with this message')
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={isSent}
      aria-label={label}
      title={label}
      onClick={() => lens.tryOut(nodeId, !isSent)}
    />
  )
}
