import { useState } from 'react'
import { t } from '../words/language.ts'
import type { DiffPiece } from './word-diff.ts'

const SHOWN_CHARS = 4_000

/** A text with what the other one has not. Of a long one the beginning, until somebody wants it all. */
export function MarkedText({
  pieces,
  kind,
}: {
  readonly pieces: readonly DiffPiece[]
  readonly kind: 'left' | 'right'
}) {
  const [isWhole, setWhole] = useState(false)
  const length = pieces.reduce((sum, { text }) => sum + text.length, 0)
  let at = 0
  const shown = pieces.flatMap(({ text, isSame }) => {
    const from = at
    at += text.length
    const room = isWhole ? text.length : SHOWN_CHARS - from
    return room <= 0 ? [] : [{ from, text: text.slice(0, room).replace(/[\uD800-\uDBFF]$/, ''), isSame }]
  })
  return (
    <div className="marked-text">
      {length === 0 && <span className="soft">{t('(no text)')}</span>}
      {shown.map(({ from, text, isSame }) =>
        isSame ? (
          text
        ) : (
          <mark key={from} className={`mark-${kind}`}>
            {text}
          </mark>
        ),
      )}
      {length > SHOWN_CHARS && (
        <button type="button" className="link" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole
            ? t('Show less')
            : t('Show all: {count} more characters', { count: (length - SHOWN_CHARS).toLocaleString() })}
        </button>
      )}
    </div>
  )
}
