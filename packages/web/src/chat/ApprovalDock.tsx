import { useState } from 'react'
import { tellProblem } from '../shell/notices.ts'
import type { Approval } from '../state/approvals.ts'
import type { OpenSession } from '../state/open-session.ts'
import { t } from '../words/language.ts'
import { Fold } from './Fold.tsx'
import { showInvisible } from './visible-text.ts'
import { whatRuns } from './what-runs.ts'

/** Where nobody can overlook it: what wants to run, whole, and the answer to it. One after the other. */
export function ApprovalDock({ session }: { readonly session: OpenSession }) {
  const { waiting } = session.approvals
  const [first] = waiting
  if (first === undefined) return null
  return <ApprovalCard key={first.approvalId} session={session} approval={first} count={waiting.length} />
}

interface ApprovalCardProps {
  readonly session: OpenSession
  readonly approval: Approval
  readonly count: number
}

type Decision = 'once' | 'tool' | 'edits' | 'deny'

function ApprovalCard({ session, approval, count }: ApprovalCardProps) {
  const { approvalId, nodeId, tool, input, shown } = approval
  const [reason, setReason] = useState('')
  const [isAnswering, setAnswering] = useState(false)
  const { tree } = session
  const isHere = tree.trunk().includes(tree.place(nodeId))
  const answer = async (decision: Decision): Promise<void> => {
    setAnswering(true)
    try {
      const why = reason.trim()
      await session.resolveApproval(approvalId, { decision, ...(decision === 'deny' && why !== '' && { reason: why }) })
    } catch (error) {
      tellProblem(error)
    } finally {
      setAnswering(false)
    }
  }
  return (
    <section className="approval" aria-label={t('A tool asks to run')} aria-live="assertive">
      <h2>
        {t('May {tool} run?', { tool })}
        {count > 1 && <span className="badge">{t('1 of {count}', { count })}</span>}
      </h2>
      {!isHere && (
        <p>
          {t('It is asked on another branch.')}{' '}
          <button
            type="button"
            className="link"
            onClick={() => void session.setActiveLeaf(nodeId, 'descend').catch(tellProblem)}
          >
            {t('Go there')}
          </button>
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys. */}
      <pre className="approval-shown" tabIndex={0}>
        {showInvisible(whatRuns(tool, shown))}
      </pre>
      {input !== undefined && (
        <Fold id={`${approvalId}/input`} className="approval-input" summary={t('Exactly what the tool gets')}>
          <pre className="approval-shown">{showInvisible(JSON.stringify(input, null, 2) ?? '')}</pre>
        </Fold>
      )}
      <div className="approval-answers">
        <button type="button" className="primary" disabled={isAnswering} onClick={() => void answer('once')}>
          {t('Once')}
        </button>
        <button type="button" disabled={isAnswering} onClick={() => void answer('tool')}>
          {t('Always {tool}, in this session', { tool })}
        </button>
        <button type="button" disabled={isAnswering} onClick={() => void answer('edits')}>
          {t('All edits, in this session')}
        </button>
        <span className="approval-deny">
          <input
            value={reason}
            maxLength={2_000}
            placeholder={t('Why not (the model is told)')}
            aria-label={t('Why not (the model is told)')}
            onChange={(event) => setReason(event.target.value)}
          />
          <button type="button" className="danger" disabled={isAnswering} onClick={() => void answer('deny')}>
            {t('Deny')}
          </button>
        </span>
      </div>
    </section>
  )
}
