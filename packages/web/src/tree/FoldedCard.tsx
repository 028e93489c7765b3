import { memo } from 'react'
import { Icon } from '../chat/Icon.tsx'
import { BoxKind } from '../layout/boxes.ts'
import { NodeFlag } from '../state/tree-model.ts'
import { t } from '../words/language.ts'
import { type CardProps, cardClass } from './card.ts'
import { describeBox } from './describe.ts'
import { toggleFold } from './folds.ts'
import { SIZES } from './layout-feed.ts'
import { lineOf } from './node-text.ts'

const KINDS = ['node', 'segment', 'branch', 'more'] as const

/** A run that is contracted, a branch that is folded, or many of them: how much, how it begins, and a way to open it. */
export const FoldedCard = memo(function FoldedCard(props: CardProps) {
  const { scene, id, box, boxes, flags, left, top } = props
  const kind = KINDS[boxes.kind[box] as 1 | 2 | 3]
  const { width, height } = SIZES[kind]
  const isSome = (flags & NodeFlag.disabled) !== 0 && boxes.kind[box] !== BoxKind.segment
  return (
    <div className={cardClass(`tree-${kind}`, props)} style={{ left, top, width, height }}>
      <button
        type="button"
        tabIndex={-1}
        className="icon"
        title={`${t('Unfold')}  (o)`}
        onClick={() => scene.setFolds(toggleFold(scene.folds, scene.session.tree, boxes, box))}
      >
        <Icon name={kind === 'segment' ? 'unfold' : 'plus'} />
      </button>
      <span className="card-count">
        {describeBox(boxes, box)}
        {scene.session.tree.parentOf(boxes.first[box]!) === -2 && <span className="badge">{t('Stash')}</span>}
        {(flags & NodeFlag.generating) !== 0 && <span className="writing" />}
        {(flags & NodeFlag.error) !== 0 && <span className="badge badge-danger">{t('failed')}</span>}
        {(flags & NodeFlag.disabled) !== 0 && (
          <span className="card-muted" title={isSome ? t('partly muted') : t('muted')}>
            <Icon name="mute" />
          </span>
        )}
      </span>
      {kind !== 'more' && <p>{lineOf(scene.session, id) ?? ''}</p>}
    </div>
  )
})
