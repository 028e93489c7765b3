import { memo } from 'react'
import { useLiveText } from '../chat/use-live-text.ts'
import { NodeFlag } from '../state/tree-model.ts'
import { t } from '../words/language.ts'
import { CardTools } from './CardTools.tsx'
import { type CardProps, cardClass } from './card.ts'
import { kindName, roleName } from './describe.ts'
import { toggleFold } from './folds.ts'
import { SIZES } from './layout-feed.ts'
import { lineOf } from './node-text.ts'

/** So much of the end of a text that is still being written. */
const LIVE_CHARS = 260

/** One node: who, what, how it stands. As high as every other, whatever it says, so that no word moves the tree. */
export const NodeCard = memo(function NodeCard(props: CardProps & { readonly isLeaf: boolean }) {
  const { scene, id, box, boxes, flags, node, isLeaf, left, top, isFocus } = props
  const { tree } = scene.session
  const place = boxes.first[box]!
  const role = tree.roleOf(place)
  const { rating, labels, model, kind } = node?.metadata ?? {}
  const closedOver = boxes.nodes[box]! - 1
  const isGenerating = (flags & NodeFlag.generating) !== 0
  return (
    <div
      className={cardClass(`tree-node role-${role}`, props)}
      style={{ left, top, width: SIZES.node.width, height: SIZES.node.height }}
    >
      <header>
        <span className="card-role">
          {role === 'assistant' && model !== undefined ? model : (kindName(kind) ?? roleName(role))}
        </span>
        {labels?.[0] !== undefined && <span className="card-label">⚑ {labels[0]}</span>}
        {rating !== undefined && <span className="card-rating">{'★'.repeat(rating)}</span>}
        {tree.parentOf(place) === -2 && <span className="badge">{t('Stash')}</span>}
        {isGenerating && <span className="writing" />}
        {(flags & NodeFlag.disabled) !== 0 && <span className="badge">{t('muted')}</span>}
        {(flags & NodeFlag.error) !== 0 && <span className="badge badge-danger">{t('failed')}</span>}
        {isLeaf && (
          <span className="badge badge-accent" title={t('The conversation goes on here')}>
            {t('here')}
          </span>
        )}
      </header>
      {isGenerating ? <LiveLine scene={scene} id={id} /> : <p>{lineOf(scene.session, id) ?? '…'}</p>}
      {isFocus && <CardTools scene={scene} />}
      {closedOver > 0 && (
        <button
          type="button"
          tabIndex={-1}
          className="card-closed"
          onClick={() => scene.setFolds(toggleFold(scene.folds, tree, boxes, box))}
        >
          +{closedOver}
        </button>
      )}
    </div>
  )
})

/** Listens to its own words only. */
function LiveLine({ scene, id }: { readonly scene: CardProps['scene']; readonly id: string }) {
  const { text, thinking } = useLiveText(scene.session, id)
  const said = text === '' ? thinking : text
  return <p className="card-live">{said === '' ? '…' : said.slice(-LIVE_CHARS)}</p>
}
