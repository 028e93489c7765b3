import { memo, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { t } from '../words/language.ts'
import { copyText } from './copy-text.ts'
import { highlight, loadLanguage } from './highlight.ts'

/** Colouring costs what the code is long, and while it streams that is paid with every piece. */
const MAX_LIVE_CHARS = 8_000

interface CodeBlockProps {
  readonly code: string
  readonly language: string
  readonly isLive?: boolean
}

export const CodeBlock = memo(function CodeBlock({ code, language, isLive = false }: CodeBlockProps) {
  return (
    <div className="code-block">
      <div className="code-head">
        <span>{language}</span>
        <button type="button" className="icon" onClick={() => void copyText(code)}>
          {t('Copy')}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys. */}
      <pre tabIndex={0}>
        <code>
          <ColouredCode code={code} language={language} isPlain={isLive && code.length > MAX_LIVE_CHARS} />
        </code>
      </pre>
    </div>
  )
})

function ColouredCode({
  code,
  language,
  isPlain,
}: {
  readonly code: string
  readonly language: string
  readonly isPlain: boolean
}) {
  const [loadedAt, setLoadedAt] = useState('')
  useEffect(() => {
    let isWanted = true
    // Without colours it reads as well: a language that cannot be fetched is no problem to tell of.
    loadLanguage(language).then(
      (isKnown) => isWanted && isKnown && setLoadedAt(language),
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [language])
  const shown = useDeferredValue(code)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is loaded by then is in the highlighter.
  const tokens = useMemo(() => (isPlain ? undefined : highlight(shown, language)), [shown, language, loadedAt, isPlain])
  if (tokens === undefined || !code.startsWith(shown)) return code
  return (
    <>
      {tokens.map(({ text, kind }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name than their place.
        <span key={i} className={kind && `code-${kind}`}>
          {text}
        </span>
      ))}
      {code.slice(shown.length)}
    </>
  )
}
