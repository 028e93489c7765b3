import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { OpenSession } from '../state/open-session.ts'
import { useStore } from '../state/store.ts'
import { NodeFlag } from '../state/tree-model.ts'
import { t } from '../words/language.ts'
import { chatOf } from './chat-state.ts'
import { HiddenMark } from './HiddenMark.tsx'
import { Icon } from './Icon.tsx'
import { Message } from './Message.tsx'
import type { RowWindow } from './row-window.ts'
import type { Row } from './trunk-rows.ts'

/** How many beyond those in the page are fetched before they are scrolled to. */
const AHEAD = 12

interface MessageListProps {
  readonly session: OpenSession
  readonly rows: readonly Row[]
  /** The node that was looked for. */
  readonly foundId: string | undefined
  /** What stands below the last row. */
  readonly children: ReactNode
}

/** The rows near what is seen, in a page as high as all of them. */
export function MessageList({ session, rows, foundId, children }: MessageListProps) {
  const { rows: rowWindow } = chatOf(session)
  const { first, end, above, below, isAtBottom } = useStore(rowWindow.shown)
  const scroller = useRef<HTMLElement>(null)
  const keys = useMemo(() => rows.map(({ key }) => key), [rows])
  useLayoutEffect(() => rowWindow.attach(scroller.current!), [rowWindow])
  useLayoutEffect(() => rowWindow.setKeys(keys), [rowWindow, keys])
  useLayoutEffect(() => rowWindow.settle())
  const near = rows.slice(Math.max(0, first - AHEAD), end + AHEAD)
  useEffect(() => session.want(near.flatMap((row) => (row.kind === 'message' ? [row.key] : []))))
  const isThere = foundId !== undefined && keys.includes(foundId)
  useEffect(() => {
    if (isThere) rowWindow.scrollTo(foundId)
  }, [rowWindow, foundId, isThere])
  return (
    <div className="chat-list">
      <section className="chat-scroll" ref={scroller} aria-label={t('Messages')} tabIndex={-1}>
        <div style={{ height: above }} />
        {rows.slice(first, end).map((row, i) => (
          <RowBox key={row.key} id={row.key} rowWindow={rowWindow}>
            {row.kind === 'hidden' ? (
              <HiddenMark session={session} ids={row.ids} isOpen={row.isOpen} />
            ) : (
              <Message {...factsOf(session, row, rows)} position={first + i + 1} isFound={row.key === foundId} />
            )}
          </RowBox>
        ))}
        <div style={{ height: below }} />
        {children}
      </section>
      {!isAtBottom && (
        <button type="button" className="to-bottom" onClick={() => rowWindow.stickToBottom()}>
          <Icon name="down" /> {t('Latest')}
        </button>
      )}
    </div>
  )
}

function factsOf(session: OpenSession, row: Extract<Row, { kind: 'message' }>, rows: readonly Row[]) {
  const { tree } = session
  const { key: id, place, isMuted } = row
  const siblings = tree.siblingsOf(place)
  return {
    session,
    id,
    isMuted,
    role: tree.roleOf(place),
    node: session.node(id),
    isGenerating: tree.has(place, NodeFlag.generating),
    isLeaf: rows.at(-1) === row,
    isLinear: session.state.get().mode === 'linear',
    siblingIndex: siblings.indexOf(place),
    siblingCount: siblings.length,
    total: rows.length,
  }
}

interface RowBoxProps {
  readonly id: string
  readonly rowWindow: RowWindow
  readonly children: ReactNode
}

/** Measured as long as it is in the page. */
function RowBox({ id, rowWindow, children }: RowBoxProps) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => rowWindow.watch(id, box.current!), [rowWindow, id])
  return (
    <div className="chat-row" ref={box}>
      {children}
    </div>
  )
}
