import { useState } from 'react'
import { t } from '../words/language.ts'

const SHOWN_LINES = 30
const SHOWN_CHARS = 6_000

/** A text as it was written. Of a long one the beginning, until somebody wants it all. */
export function PlainText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false)
  const beginning = text
    .split('\n', SHOWN_LINES + 1)
    .slice(0, SHOWN_LINES)
    .join('\n')
    .slice(0, SHOWN_CHARS)
  // Three lines more are less than a button that hides them.
  const isLong = text.length - beginning.length > 240
  return (
    <div className="plain-text">
      {isWhole || !isLong ? text : beginning.replace(/[\uD800-\uDBFF]$/, '')}
      {isLong && (
        <button type="button" className="link" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole
            ? t('Show less')
            : t('Show all: {count} more characters', { count: (text.length - beginning.length).toLocaleString() })}
        </button>
      )}
    </div>
  )
}
