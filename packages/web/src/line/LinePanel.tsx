import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { Icon } from '../chat/Icon.tsx'
import { useSession } from '../shell/app-context.ts'
import { panel } from '../shell/panel.ts'
import { Told } from '../shell/Told.tsx'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { LineHead } from './LineHead.tsx'
import { LineRowView } from './LineRowView.tsx'
import { type LensState, type LineLens, lensOf } from './line-lens.ts'
import { lineRows } from './line-rows.ts'
import { coveredBy } from './summaries.ts'
import { useLineLeaf } from './use-line-leaf.ts'

/** The context lens: exactly what the model will get from here, message by message, and what it will not (T22, X49). */
export function LinePanel() {
  const session = useSession()
  const lens = lensOf(session)
  const state = useStore(lens.state)
  useEffect(() => lens.follow(), [lens])
  useLineLeaf(session)
  const shown = state.whatIf ?? state.now
  return (
    <aside className="line-panel" aria-label={t('What the model will get')} aria-busy={state.isBusy}>
      <header className="line-title">
        <h2>{t('What the model will get')}</h2>
        <button
          type="button"
          className="icon"
          title={t('Hide the line')}
          aria-label={t('Hide the line')}
          onClick={() => panel.set('none')}
        >
          <Icon name="close" />
        </button>
      </header>
      {state.problem !== undefined && (
        <p className="problem line-note">
          <Told text={state.problem} />
        </p>
      )}
      {shown === undefined ? (
        state.problem === undefined && <p className="line-note">{t('Loading…')}</p>
      ) : (
        <>
          <LineHead lens={lens} state={state} shown={shown} />
          <LineRows lens={lens} state={state} shown={shown} />
        </>
      )}
    </aside>
  )
}

interface LineRowsProps {
  readonly lens: LineLens
  readonly state: LensState
  readonly shown: NonNullable<LensState['now']>
}

/** The rows near what is seen, in a list as high as all of them. */
function LineRows({ lens, state, shown }: LineRowsProps) {
  const { session, rows: rowWindow } = lens
  const { first, end, above, below } = useStore(rowWindow.shown)
  const { revision } = session.state.get()
  const scroller = useRef<HTMLElement>(null)
  const { changes } = state
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a node stands for comes with its text; the revision tells.
  const rows = useMemo(
    () => lineRows(shown, { path: lens.path(), changes, coversOf: (id) => coveredBy(session, id) }),
    [lens, session, shown, changes, revision],
  )
  const keys = useMemo(() => rows.map(({ key }) => key), [rows])
  useLayoutEffect(() => rowWindow.attach(scroller.current!), [rowWindow])
  useLayoutEffect(() => rowWindow.setKeys(keys), [rowWindow, keys])
  useLayoutEffect(() => rowWindow.settle())
  const near = rows.slice(first, end)
  useEffect(() => {
    const out = near.flatMap((row) => (row.kind === 'out' ? [row.key] : row.covers.map(({ nodeId }) => nodeId)))
    session.want(out.slice(0, 200), 'skeleton')
    // A compaction leads the line, and only its node says that it is one.
    const leads = rows.slice(0, 4).flatMap((row) => (row.kind === 'message' ? row.nodeIds.slice(0, 1) : []))
    session.want([...leads, ...near.flatMap((row) => (row.kind === 'message' ? row.nodeIds : []))].slice(0, 200))
  })
  return (
    <section className="line-scroll" ref={scroller} aria-label={t('The line')} tabIndex={-1}>
      <div style={{ height: above }} />
      {near.map((row, i) => (
        <LineRowBox key={row.key} id={row.key} lens={lens}>
          <LineRowView lens={lens} row={row} preview={shown} position={first + i + 1} total={rows.length} />
        </LineRowBox>
      ))}
      <div style={{ height: below }} />
    </section>
  )
}

interface LineRowBoxProps {
  readonly id: string
  readonly lens: LineLens
  readonly children: ReactNode
}

/** Measured as long as it is in the page. */
function LineRowBox({ id, lens, children }: LineRowBoxProps) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => lens.rows.watch(id, box.current!), [lens, id])
  return (
    <div className="line-row-box" ref={box}>
      {children}
    </div>
  )
}
