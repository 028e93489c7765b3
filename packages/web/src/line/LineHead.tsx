import type { ContextPreview } from '@treeline/protocol'
import { formatCost } from '../chat/format-details.ts'
import { tellProblem } from '../shell/notices.ts'
import { tellUndoable } from '../shell/undoable.ts'
import { t } from '../words/language.ts'
import { explainWarning } from './explain-warning.ts'
import { LineBar } from './LineBar.tsx'
import type { LensState, LineLens } from './line-lens.ts'

interface LineHeadProps {
  readonly lens: LineLens
  readonly state: LensState
  readonly shown: ContextPreview
}

/** How much it is, for what price, what would be different, and what there is to mind. */
export function LineHead({ lens, state, shown }: LineHeadProps) {
  const { session } = lens
  const { tokens, cost, model } = shown
  const isLinear = session.state.get().mode === 'linear'
  return (
    <div className="line-head">
      {state.leafId !== undefined && (
        <p className="line-from">
          {t('Up to the selected node: {text}', { text: session.bodies.preview(state.leafId)?.slice(0, 80) ?? '…' })}
        </p>
      )}
      <p className="line-totals">
        <strong>{t('{count} tokens', { count: tokens.context.toLocaleString() })}</strong>
        {cost !== null && cost.amount > 0 && (
          <span title={t('An estimate, for sending it once')}>{formatCost(cost)}</span>
        )}
        <span className="soft">{model}</span>
      </p>
      <LineBar preview={shown} />
      {state.now !== undefined && state.changes.size > 0 && <WhatIf lens={lens} state={state} now={state.now} />}
      {isLinear && <p className="line-note">{t('In a plain chat every message counts, muted or not.')}</p>}
      {shown.warnings.length > 0 && (
        <ul className="line-warnings">
          {shown.warnings.map((warning) => (
            <li key={`${warning.code} ${warning.nodeIds.join()}`}>{explainWarning(warning)}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface WhatIfProps {
  readonly lens: LineLens
  readonly state: LensState
  readonly now: ContextPreview
}

/** What would be, before anything is (N: nothing is written until it is applied). */
function WhatIf({ lens, state: { whatIf, changes, isBusy }, now }: WhatIfProps) {
  const apply = async (): Promise<void> => {
    try {
      const opId = await lens.apply()
      tellUndoable(lens.session, t('Done. The model gets the line as you see it.'), opId)
    } catch (error) {
      tellProblem(error)
    }
  }
  return (
    <section className="what-if" aria-live="polite">
      <p>
        {changes.size === 1
          ? t('If you change 1 message:')
          : t('If you change {count} messages:', { count: changes.size })}
      </p>
      {whatIf === undefined || isBusy ? (
        <p className="soft">{t('Counting…')}</p>
      ) : (
        <Difference now={now} then={whatIf} />
      )}
      <p className="row-of-buttons">
        <button type="button" onClick={() => lens.discard()}>
          {t('Discard')}
        </button>
        <button type="button" className="primary" onClick={() => void apply()}>
          {t('Apply')}
        </button>
      </p>
    </section>
  )
}

function Difference({ now, then }: { readonly now: ContextPreview; readonly then: ContextPreview }) {
  const tokens = then.tokens.context - now.tokens.context
  const hasPrice = now.cost !== null && then.cost !== null && now.cost.amount + then.cost.amount > 0
  return (
    <dl className="difference">
      <dt>{t('Tokens')}</dt>
      <dd>
        {now.tokens.context.toLocaleString()} → {then.tokens.context.toLocaleString()} <strong>{signed(tokens)}</strong>
      </dd>
      {hasPrice && (
        <>
          <dt>{t('Price')}</dt>
          <dd>
            {formatCost(now.cost!)} → {formatCost(then.cost!)}
          </dd>
        </>
      )}
      <dt>{t('Messages')}</dt>
      <dd>
        {now.messages.length} → {then.messages.length}
      </dd>
    </dl>
  )
}

function signed(count: number): string {
  if (count === 0) return '±0'
  return `${count > 0 ? '+' : '−'}${Math.abs(count).toLocaleString()}`
}
