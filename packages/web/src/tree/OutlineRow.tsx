import { useEffect, useRef } from 'react'
import { BoxKind } from '../layout/boxes.ts'
import type { Layout } from '../layout/lay-out.ts'
import { NodeFlag } from '../state/tree-model.ts'
import { t } from '../words/language.ts'
import { switchTrunk } from './actions.ts'
import { describeBox, roleName } from './describe.ts'
import { toggleFold } from './folds.ts'
import { lineOf } from './node-text.ts'
import { hasUnder, isFolded } from './outline-keys.ts'
import { type OutlineRows, ROW_HEIGHT } from './outline-rows.ts'
import type { TreeScene } from './scene.ts'
import { selectOne, toggleOne } from './selection.ts'

interface OutlineRowProps {
  readonly scene: TreeScene
  readonly layout: Layout
  readonly rows: OutlineRows
  readonly row: number
  readonly isCurrent: boolean
  readonly isSelected: boolean
}

export function OutlineRow({ scene, layout, rows, row, isCurrent, isSelected }: OutlineRowProps) {
  const element = useRef<HTMLDivElement>(null)
  const box = rows.box[row]!
  const { boxes } = layout
  const { tree } = scene.session
  const place = boxes.first[box]!
  const id = tree.ids[place]!
  const isNode = boxes.kind[box] === BoxKind.node
  const folded = isFolded(layout, box)
  const isWhole = !folded || boxes.kind[box] === BoxKind.segment
  useEffect(() => {
    // The focus goes along only where it already is in the outline.
    if (isCurrent && element.current?.closest('.tree-outline')?.contains(document.activeElement)) {
      element.current.focus({ preventScroll: true })
    }
  }, [isCurrent])
  const line = lineOf(scene.session, id) ?? '…'
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys of all its rows.
    <div
      ref={element}
      role="treeitem"
      className={rowClass(layout, box)}
      tabIndex={isCurrent ? 0 : -1}
      aria-level={rows.level[row]}
      aria-posinset={rows.position[row]}
      aria-setsize={rows.setSize[row]}
      aria-selected={isSelected}
      {...((folded || hasUnder(rows, row)) && { 'aria-expanded': !folded })}
      style={{ top: row * ROW_HEIGHT, height: ROW_HEIGHT, paddingLeft: 8 + Math.min(12, rows.level[row]! - 1) * 16 }}
      onClick={(event) => {
        scene.selection.update((before) => (event.ctrlKey || event.metaKey ? toggleOne(before, id) : selectOne(id)))
        scene.show(box)
      }}
      onDoubleClick={() => {
        if (folded) scene.setFolds(toggleFold(scene.folds, tree, boxes, box))
        else void switchTrunk(scene.session, id)
      }}
    >
      <span className="outline-fold" aria-hidden="true">
        {folded ? '▸' : hasUnder(rows, row) ? '▾' : ''}
      </span>
      <span className={isNode ? `outline-role role-${tree.roleOf(place)}` : 'outline-role'}>
        {isNode ? roleName(tree.roleOf(place)) : describeBox(boxes, box)}
      </span>
      <span className="outline-text">{line}</span>
      {(boxes.flags[box]! & NodeFlag.disabled) !== 0 && (
        <span className="badge">{isWhole ? t('muted') : t('partly muted')}</span>
      )}
      {isNode && (boxes.flags[box]! & NodeFlag.error) !== 0 && (
        <span className="badge badge-danger">{t('failed')}</span>
      )}
      {(boxes.flags[box]! & NodeFlag.generating) !== 0 && <span className="writing" />}
      {id === tree.activeLeafId && <span className="badge badge-accent">{t('here')}</span>}
    </div>
  )
}

function rowClass({ boxes }: Layout, box: number): string {
  const classes = [
    'outline-row',
    boxes.onTrunk[box] === 1 && 'is-trunk',
    (boxes.flags[box]! & NodeFlag.disabled) !== 0 && boxes.kind[box] !== BoxKind.branch && 'is-muted',
    (boxes.flags[box]! & NodeFlag.detached) !== 0 && 'is-stashed',
  ]
  return classes.filter(Boolean).join(' ')
}
