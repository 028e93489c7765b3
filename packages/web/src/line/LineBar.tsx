import type { ContextPreview, Role } from '@treeline/protocol'
import { formatCount } from '../chat/format-details.ts'
import { t } from '../words/language.ts'
import { sharesByRole } from './line-rows.ts'

/** How full the model's window is, by who says it, with what is kept free for the answer. */
export function LineBar({ preview: { messages, tokens } }: { readonly preview: ContextPreview }) {
  const { context, reservedOutput, limit } = tokens
  const whole = Math.max(limit, context + reservedOutput, 1)
  const percent = (count: number): string => `${(100 * count) / whole}%`
  const said = messages.reduce((sum, { tokens: count = 0 }) => sum + count, 0)
  // The count of the whole knows more than the sum of its parts: what frames them counts too.
  const scale = said === 0 ? 0 : context / said
  const text = t('{used} of {limit}, {reserved} kept for the answer', {
    used: formatCount(context),
    limit: formatCount(limit),
    reserved: formatCount(reservedOutput),
  })
  return (
    <>
      <div className="line-bar" role="img" aria-label={text} title={text}>
        {sharesByRole(messages).map(({ role, tokens: count }) => (
          <span
            key={role}
            className={`line-share line-${role}`}
            title={`${roleName(role)}: ${formatCount(count)}`}
            style={{ width: percent(count * scale) }}
          />
        ))}
        <span className="line-reserved" style={{ width: percent(reservedOutput) }} />
      </div>
      <p className="line-legend">{text}</p>
    </>
  )
}

export function roleName(role: Role): string {
  switch (role) {
    case 'system':
      return t('System')
    case 'user':
      return t('You')
    case 'assistant':
      return t('Model')
    case 'tool':
      return t('Tool')
  }
}
