import type { Branch } from '@treeline/protocol'
import { formatCost, formatCount } from '../chat/format-details.ts'
import { plainWords } from '../markdown/plain-words.ts'
import { formatAgo } from '../sessions/format-ago.ts'
import { tell, tellProblem } from '../shell/notices.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import type { Comparison } from './comparison.ts'

/** Beyond this many a list is no help: the latest are offered. */
const MAX_OFFERED = 300
const MAX_NAME = 60

interface SideHeadProps {
  readonly comparison: Comparison
  readonly side: 'left' | 'right'
  readonly onKept: () => void
}

/** Which branch stands on a side, what it took, and the way to go on with it. */
export function SideHead({ comparison, side, onKept }: SideHeadProps) {
  const { session } = comparison
  const { branches, compared, ...state } = useStore(comparison.state)
  const chosen = state[side]
  const nodes = compared?.[side]
  const metrics = compared?.metrics[side]
  const isTrunk = chosen !== undefined && session.tree.activeLeafId === chosen
  const keep = async (): Promise<void> => {
    const before = session.tree.activeLeafId
    try {
      await session.setActiveLeaf(chosen!)
      onKept()
      tell(t('You go on from here. The other branch stays where it is.'), {
        of: session.id,
        action: { label: t('Back'), run: () => void session.setActiveLeaf(before).catch(tellProblem) },
      })
    } catch (error) {
      comparison.tell(error)
    }
  }
  return (
    <section className="side-head" aria-label={side === 'left' ? t('Left') : t('Right')}>
      <select
        value={chosen ?? ''}
        aria-label={side === 'left' ? t('Branch on the left') : t('Branch on the right')}
        onChange={({ target }) => void comparison.choose(side, target.value)}
      >
        {chosen === undefined && <option value="">{t('Choose a branch')}</option>}
        {offered(branches, chosen).map((branch) => (
          <option key={branch.leafId} value={branch.leafId}>
            {branchName(branch)}
          </option>
        ))}
        {chosen !== undefined && !branches.some(({ leafId }) => leafId === chosen) && (
          <option value={chosen}>{shorten(plainWords(session.bodies.preview(chosen) ?? chosen, true))}</option>
        )}
      </select>
      {metrics !== undefined && nodes !== undefined && (
        <dl className="side-metrics">
          <div>
            <dt>{t('Messages')}</dt>
            <dd>{nodes.length}</dd>
          </div>
          <div>
            <dt>{t('Tokens')}</dt>
            <dd>{formatCount(metrics.tokens)}</dd>
          </div>
          <div>
            <dt>{t('Cost')}</dt>
            <dd>{formatCost({ amount: metrics.cost, currency: 'USD' })}</dd>
          </div>
          <div>
            <dt>{t('Time')}</dt>
            <dd>{t('{seconds} s', { seconds: (metrics.latencyMs / 1_000).toFixed(1) })}</dd>
          </div>
        </dl>
      )}
      {chosen !== undefined && (
        <button type="button" disabled={isTrunk} onClick={() => void keep()}>
          {isTrunk ? t('This is the trunk') : t('Keep this one')}
        </button>
      )}
    </section>
  )
}

function shorten(words: string): string {
  return words.length > MAX_NAME ? `${words.slice(0, MAX_NAME - 1).trimEnd()}…` : words
}

function offered(branches: readonly Branch[], chosen: string | undefined): readonly Branch[] {
  if (branches.length <= MAX_OFFERED) return branches
  const latest = branches.toSorted((a, b) => (a.lastActivityAt < b.lastActivityAt ? 1 : -1)).slice(0, MAX_OFFERED)
  const own = branches.find(({ leafId }) => leafId === chosen)
  return own === undefined || latest.includes(own) ? latest : [own, ...latest]
}

function branchName({ isTrunk, labels, preview, length, lastActivityAt }: Branch): string {
  const marks = [...(isTrunk ? [t('trunk')] : []), ...labels].map((mark) => `[${mark}] `).join('')
  return `${marks}${plainWords(preview, true) || t('(no text)')} · ${length} · ${formatAgo(Date.parse(lastActivityAt))}`
}
