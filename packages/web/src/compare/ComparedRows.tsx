import type { ChatMessageNode, Compare } from '@treeline/protocol'
import { type ReactNode, useLayoutEffect, useMemo, useRef } from 'react'
import { explainFailure } from '../chat/explain-failure.ts'
import { detailsOf } from '../chat/format-details.ts'
import { roleName } from '../line/LineBar.tsx'
import { plainLines } from '../markdown/plain-words.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { alignMessages, type MessagePair } from './align-messages.ts'
import type { Comparison } from './comparison.ts'
import { MarkedText } from './MarkedText.tsx'
import { diffWords } from './word-diff.ts'

/** Messages that answer to each other in one row, what differs marked; only rows near the eye are in the page. */
export function ComparedRows({
  comparison,
  compared,
}: {
  readonly comparison: Comparison
  readonly compared: Compare
}) {
  const { rows: rowWindow } = comparison
  const { first, end, above, below } = useStore(rowWindow.shown)
  const scroller = useRef<HTMLElement>(null)
  const pairs = useMemo(() => alignMessages(compared.left, compared.right), [compared])
  const keys = useMemo(() => pairs.map(({ key }) => key), [pairs])
  useLayoutEffect(() => rowWindow.attach(scroller.current!), [rowWindow])
  useLayoutEffect(() => {
    rowWindow.setKeys(keys)
    // One reads from where they part.
    if (keys[0] !== undefined) rowWindow.scrollTo(keys[0])
  }, [rowWindow, keys])
  useLayoutEffect(() => rowWindow.settle())
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: there is nothing in it to go to, and it is scrolled with keys too.
    <section className="compare-scroll" ref={scroller} aria-label={t('How they differ')} tabIndex={0}>
      <div style={{ height: above }} />
      {pairs.slice(first, end).map((pair) => (
        <PairBox key={pair.key} id={pair.key} comparison={comparison}>
          <Pair pair={pair} />
        </PairBox>
      ))}
      <div style={{ height: below }} />
    </section>
  )
}

function Pair({ pair: { left, right } }: { readonly pair: MessagePair }) {
  const diff = useMemo(
    () => (left === undefined || right === undefined ? undefined : diffWords(wordsOf(left), wordsOf(right))),
    [left, right],
  )
  return (
    <div className="pair">
      <Cell node={left}>
        {left !== undefined && (
          <MarkedText pieces={diff?.left ?? [{ text: wordsOf(left), isSame: true }]} kind="left" />
        )}
      </Cell>
      <Cell node={right}>
        {right !== undefined && (
          <MarkedText pieces={diff?.right ?? [{ text: wordsOf(right), isSame: true }]} kind="right" />
        )}
      </Cell>
      {diff?.isCut && <p className="pair-note">{t('Too different to mark word by word.')}</p>}
    </div>
  )
}

/** What it says, as one reads it; of an answer that failed before its first word, why. */
function wordsOf(node: ChatMessageNode): string {
  if (node.content.trim() === '') return explainFailure(node) ?? ''
  return node.role === 'assistant' ? plainLines(node.content) : node.content
}

function Cell({ node, children }: { readonly node: ChatMessageNode | undefined; readonly children: ReactNode }) {
  if (node === undefined) return <div className="cell cell-empty">{t('Nothing beside it')}</div>
  return (
    <article className={`cell cell-${node.role}${node.isEnabled ? '' : ' cell-muted'}`}>
      <header>
        <span className="line-role">{node.metadata?.model ?? roleName(node.role)}</span>
        {!node.isEnabled && <span className="badge">{t('muted')}</span>}
        <small>{detailsOf(node)}</small>
      </header>
      {children}
    </article>
  )
}

interface PairBoxProps {
  readonly id: string
  readonly comparison: Comparison
  readonly children: ReactNode
}

/** Measured as long as it is in the page. */
function PairBox({ id, comparison, children }: PairBoxProps) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => comparison.rows.watch(id, box.current!), [comparison, id])
  return <div ref={box}>{children}</div>
}
