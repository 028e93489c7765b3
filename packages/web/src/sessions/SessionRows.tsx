import type { SessionSummary } from '@treeline/protocol'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Connection } from '../server/connection.ts'
import { tellProblem } from '../shell/notices.ts'
import { t } from '../words/language.ts'
import { SessionRow } from './SessionRow.tsx'
import { directoryOf } from './session-directory.ts'
import { useRowRange } from './use-row-range.ts'

/** The same as in the styles. */
const ROW_HEIGHT = 58

interface SessionRowsProps {
  readonly connection: Connection
  readonly sessions: readonly SessionSummary[]
  readonly openId: string | undefined
}

/** Rows near what is seen, in a list as high as all of them. One tab stop; arrow keys go from row to row. */
export function SessionRows({ connection, sessions, openId }: SessionRowsProps) {
  const scroller = useRef<HTMLUListElement>(null)
  const { first, end } = useRowRange(scroller, sessions.length, ROW_HEIGHT)
  const [focused, setFocused] = useState<number>()
  const openAt = Math.max(
    0,
    sessions.findIndex(({ sessionId }) => sessionId === openId),
  )
  const stop = Math.min(focused ?? openAt, sessions.length - 1)
  useEffect(() => {
    if (end >= sessions.length) directoryOf(connection).loadMore().catch(tellProblem)
  }, [connection, end, sessions.length])
  const hasOpen = sessions[openAt]?.sessionId === openId
  const placed = useRef<{ readonly id: string | undefined; readonly top: number }>(undefined)
  useEffect(() => {
    const list = scroller.current
    if (list === null || !hasOpen) return
    // The list may grow above it afterwards; whoever has scrolled meanwhile stays where they are.
    const isLeft = placed.current?.id === openId && placed.current?.top !== list.scrollTop
    if (isLeft) return
    bringIntoView(list, openAt)
    placed.current = { id: openId, top: list.scrollTop }
  }, [openId, openAt, hasOpen])
  const moveTo = (next: number): void => {
    const list = scroller.current
    if (list === null || next < 0 || next >= sessions.length) return
    setFocused(next)
    bringIntoView(list, next)
    // It may come into the page only by that.
    requestAnimationFrame(() => list.querySelector<HTMLElement>(`[data-position="${next + 1}"] .session-link`)?.focus())
  }
  return (
    <ul
      className="session-scroll session-rows"
      ref={scroller}
      aria-label={t('Conversations')}
      onKeyDown={(event) => onRowKey(event, stop, sessions.length, moveTo)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setFocused(undefined)
      }}
    >
      <li className="session-room" style={{ height: sessions.length * ROW_HEIGHT }} aria-hidden="true" />
      {rowsToDraw(first, end, stop).map((at) => (
        <SessionRow
          key={sessions[at]!.sessionId}
          connection={connection}
          session={sessions[at]!}
          isOpen={sessions[at]!.sessionId === openId}
          isStop={at === stop}
          position={at + 1}
          total={sessions.length}
          style={{ top: at * ROW_HEIGHT }}
        />
      ))}
    </ul>
  )
}

function bringIntoView(list: HTMLElement, row: number): void {
  const top = row * ROW_HEIGHT
  if (top < list.scrollTop) list.scrollTop = top
  else if (top + ROW_HEIGHT > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW_HEIGHT - list.clientHeight
}

/** The tab stop is in the page wherever one has scrolled to, or Tab would lead past the list. */
function rowsToDraw(first: number, end: number, stop: number): readonly number[] {
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i)
  if (stop < 0 || (stop >= first && stop < end)) return rows
  return stop < first ? [stop, ...rows] : [...rows, stop]
}

function onRowKey(event: KeyboardEvent<HTMLElement>, at: number, count: number, moveTo: (next: number) => void): void {
  const isOnRow = event.target instanceof HTMLElement && event.target.matches('.session-link')
  if (!isOnRow) return
  const target = event.target as HTMLElement
  switch (event.key) {
    case 'ArrowDown':
      moveTo(at + 1)
      break
    case 'ArrowUp':
      if (at === 0) document.querySelector<HTMLElement>('.session-search input')?.focus()
      else moveTo(at - 1)
      break
    case 'Home':
      moveTo(0)
      break
    case 'End':
      moveTo(count - 1)
      break
    case 'ArrowRight':
      target.parentElement?.querySelector<HTMLElement>('.menu-box button')?.focus()
      break
    default:
      return
  }
  event.preventDefault()
}
