import type { ChatMessageNode } from '@treeline/protocol'
import { useDeferredValue } from 'react'
import { LiveMarkdown, Markdown } from '../markdown/Markdown.tsx'
import type { OpenSession } from '../state/open-session.ts'
import { t } from '../words/language.ts'
import { PartView, Thinking } from './PartView.tsx'
import { PlainText } from './PlainText.tsx'
import { useLiveText } from './use-live-text.ts'
import { useWholeText } from './use-whole-text.ts'

/** More than this as markdown would be thousands of elements. */
const MAX_MARKDOWN_CHARS = 120_000

/** What a message says, once it is all there. */
export function MessageBody({ session, node }: { readonly session: OpenSession; readonly node: ChatMessageNode }) {
  const { id, role, parts } = node
  const { text, hasMore, readMore } = useWholeText(session, node)
  const isPlain = role === 'user' || role === 'tool'
  const more = hasMore && (
    <button type="button" className="link" onClick={readMore}>
      {t('Load the rest')}
    </button>
  )
  if (parts !== undefined) {
    return (
      <>
        {parts.map((part, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place.
          <PartView key={i} part={part} id={`${id}/${i}`} isPlain={isPlain} />
        ))}
        {more}
      </>
    )
  }
  return (
    <>
      {isPlain || text.length > MAX_MARKDOWN_CHARS ? <PlainText text={text} /> : <Markdown text={text} />}
      {more}
    </>
  )
}

/** What is being written. Typing elsewhere comes first. */
export function LiveBody({ session, id }: { readonly session: OpenSession; readonly id: string }) {
  const { text, thinking } = useDeferredValue(useLiveText(session, id))
  return (
    <>
      {thinking !== '' && <Thinking text={thinking} id={`${id}/0`} isLive={text === ''} />}
      {text.length > MAX_MARKDOWN_CHARS ? <PlainText text={text} /> : <LiveMarkdown text={text} />}
      {text === '' && thinking === '' && <p className="soft">{t('Waiting for the first word…')}</p>}
    </>
  )
}
