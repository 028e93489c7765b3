import type { ContextPreview, Part } from '@treeline/protocol'
import { Fold } from '../chat/Fold.tsx'
import { formatCost, formatCount } from '../chat/format-details.ts'
import { Icon } from '../chat/Icon.tsx'
import { PlainText } from '../chat/PlainText.tsx'
import { goTo } from '../shell/route.ts'
import { t } from '../words/language.ts'
import { roleName } from './LineBar.tsx'
import type { LineLens } from './line-lens.ts'
import type { LineMessage, LineRow } from './line-rows.ts'
import { OutNodeView } from './OutNodeView.tsx'
import { SendSwitch } from './SendSwitch.tsx'
import { undoSummary } from './summaries.ts'

interface LineRowViewProps {
  readonly lens: LineLens
  readonly row: LineRow
  readonly preview: ContextPreview
  readonly position: number
  readonly total: number
}

export function LineRowView({ lens, row, preview, position, total }: LineRowViewProps) {
  if (row.kind === 'out') return <OutNodeView lens={lens} node={row} />
  const { message, nodeIds, isChanged, covers } = row
  const { role, tokens = 0, injectedBy } = message
  const [nodeId] = nodeIds
  const text = textOf(message)
  return (
    <article
      className={`line-row line-row-${role}${isChanged ? ' line-row-changed' : ''}`}
      aria-posinset={position}
      aria-setsize={total}
      aria-label={roleName(role)}
    >
      <header>
        <span className="line-role">{roleName(role)}</span>
        {injectedBy !== undefined && <span className="badge">{t('added by {who}', { who: nameOf(injectedBy) })}</span>}
        {nodeIds.length > 1 && <span className="badge">{t('{count} in one', { count: nodeIds.length })}</span>}
        {isChanged && <span className="badge line-would">{t('would be sent')}</span>}
        <span className="line-count">
          {formatCount(tokens)}
          {priceOf(preview, tokens)}
        </span>
        {nodeId !== undefined && (
          <button
            type="button"
            className="icon"
            title={t('Show in the chat')}
            aria-label={t('Show in the chat')}
            onClick={() => goTo({ view: 'chat', nodeId })}
          >
            <Icon name="right" />
          </button>
        )}
        {nodeId !== undefined && nodeIds.length === 1 && <SendSwitch lens={lens} nodeId={nodeId} isSent />}
      </header>
      {nodeIds.length > 1 && (
        <div className="line-parts">
          {nodeIds.map((id) => (
            <PartNode key={id} lens={lens} nodeId={id} />
          ))}
        </div>
      )}
      {covers.length > 0 && nodeId !== undefined && (
        <div className="line-covers">
          <Fold
            id={`covers ${nodeId}`}
            className="covers"
            summary={
              covers.length === 1
                ? t('Stands for 1 message')
                : t('Stands for {count} messages', { count: covers.length })
            }
          >
            {covers.slice(0, 200).map((node) => (
              <OutNodeView key={node.nodeId} lens={lens} node={node} />
            ))}
          </Fold>
          {lens.session.state.get().mode === 'tree' && (
            <button type="button" className="link" onClick={() => void undoSummary(lens.session, nodeId)}>
              {t('Undo the summary')}
            </button>
          )}
        </div>
      )}
      <Fold
        id={`line ${row.key}`}
        className="line-text"
        summary={
          <span className="line-first">
            {nodeIds.length > 1 ? t('As it is sent') : text.slice(0, 600).replace(/\s+/g, ' ')}
          </span>
        }
      >
        <PlainText text={text} />
      </Fold>
    </article>
  )
}

/** One of several nodes that are sent as one message, because they have one author. */
function PartNode({ lens, nodeId }: { readonly lens: LineLens; readonly nodeId: string }) {
  return (
    <div className="line-part">
      <span className="line-out-text">{lens.session.bodies.preview(nodeId)?.slice(0, 120) ?? '…'}</span>
      <SendSwitch lens={lens} nodeId={nodeId} isSent />
    </div>
  )
}

/** The share of the whole price that a message has. */
function priceOf({ cost, tokens }: ContextPreview, count: number): string {
  if (cost === null || cost.amount === 0 || tokens.context === 0) return ''
  return ` · ${formatCost({ amount: (cost.amount * count) / tokens.context, currency: cost.currency })}`
}

/** A message as text, calls and pictures too. */
function textOf({ content, parts }: LineMessage): string {
  const others = (parts ?? []).map(textOfPart).filter((text) => text !== '')
  return [content, ...others].filter((text) => text !== '').join('\n\n')
}

function textOfPart(part: Part): string {
  switch (part.type) {
    case 'tool_call':
      return `→ ${part.name}(${JSON.stringify(part.input)})`
    case 'image':
      return `[${t('Attached picture')}]`
    default:
      // Texts and results are in the content; what was thought is the provider's alone.
      return ''
  }
}

/** A part of the program that a reader has never heard of is the program. */
function nameOf(strategy: string): string {
  return strategy === 'system-text' ? 'Treeline' : strategy
}
