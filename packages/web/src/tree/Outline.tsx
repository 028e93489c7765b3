import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react'
import type { Layout } from '../layout/lay-out.ts'
import { useRowRange } from '../sessions/use-row-range.ts'
import { useSession } from '../shell/app-context.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { OutlineRow } from './OutlineRow.tsx'
import { onOutlineKey } from './outline-keys.ts'
import { outlineRows, ROW_HEIGHT } from './outline-rows.ts'
import type { TreeScene } from './scene.ts'
import { onStageKey } from './stage-keys.ts'
import { selectedBoxes } from './targets.ts'

/** The same tree as a list that can be read aloud: what is folded there is folded here, and both have one selection. */
export function Outline({ scene }: { readonly scene: TreeScene }) {
  const layout = useStore(scene.layout)
  if (layout === undefined) return <div className="tree-outline" />
  return <Rows scene={scene} layout={layout} />
}

function Rows({ scene, layout }: { readonly scene: TreeScene; readonly layout: Layout }) {
  const session = useSession()
  useStore(scene.selection)
  const scroller = useRef<HTMLDivElement>(null)
  const typed = useRef({ text: '', at: 0 })
  const rows = useMemo(() => outlineRows(layout), [layout])
  const count = rows.box.length
  const { first, end } = useRowRange(scroller, count, ROW_HEIGHT)
  const current = Math.max(0, rows.rowOf[scene.focusBox()] ?? 0)
  const selected = new Set(selectedBoxes(scene))
  useEffect(() => bringRowIntoView(scroller.current!, current), [current])
  useEffect(() => {
    const ids = [...rows.box.subarray(first, end)].map((box) => session.tree.ids[layout.boxes.first[box]!]!)
    session.want(ids, 'skeleton')
  })
  const onKey = (event: KeyboardEvent<HTMLElement>): void => {
    const isDone = onOutlineKey({ scene, layout, rows, row: current, typed: typed.current }, event)
    if (!isDone && !onStageKey(scene, event.nativeEvent)) return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      className="tree-outline"
      ref={scroller}
      role="tree"
      aria-label={t('Outline')}
      aria-multiselectable
      onKeyDown={onKey}
    >
      <div role="presentation" style={{ height: count * ROW_HEIGHT }}>
        {[...range(first, end, current)].map((row) => (
          <OutlineRow
            key={row}
            scene={scene}
            layout={layout}
            rows={rows}
            row={row}
            isCurrent={row === current}
            isSelected={selected.has(rows.box[row]!)}
          />
        ))}
      </div>
    </div>
  )
}

/** Those near what is seen, and the one with the focus wherever it is. */
function* range(first: number, end: number, current: number): Generator<number> {
  if (current < first) yield current
  for (let row = first; row < end; row++) yield row
  if (current >= end) yield current
}

function bringRowIntoView(scroller: HTMLElement, row: number): void {
  const top = row * ROW_HEIGHT
  if (top < scroller.scrollTop) scroller.scrollTop = top
  else if (top + ROW_HEIGHT > scroller.scrollTop + scroller.clientHeight) {
    scroller.scrollTop = top + ROW_HEIGHT - scroller.clientHeight
  }
}
