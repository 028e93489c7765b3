import type { SearchHit } from '@treeline/protocol'
import { type KeyboardEvent, useRef } from 'react'
import { useConnection } from '../shell/app-context.ts'
import { Told } from '../shell/Told.tsx'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { formatAgo } from './format-ago.ts'
import { markMatches, withoutMarkdown } from './mark-matches.ts'
import type { SessionSearch } from './search-state.ts'
import { nameOf, openSession } from './session-actions.ts'
import { directoryOf } from './session-directory.ts'

const NEAR_END = 400

/** What was found in all conversations: those called so, then what was said. A hit lands on its message. */
export function SearchResults({ search }: { readonly search: SessionSearch }) {
  const found = useStore(search.found)
  const list = useRef<HTMLDivElement>(null)
  const isNothing = !found.isBusy && found.sessions.length === 0 && found.hits.length === 0
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys go through the buttons in it.
    <div
      className="session-scroll"
      ref={list}
      onKeyDown={onResultKey}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        if (scrollHeight - scrollTop - clientHeight < NEAR_END) void search.more()
      }}
    >
      {found.problem !== undefined && (
        <p className="problem results-note">
          <Told text={found.problem} />
        </p>
      )}
      {isNothing && found.problem === undefined && <p className="results-note">{t('Nothing found.')}</p>}
      {found.sessions.length > 0 && (
        <section>
          <h3>{t('By name')}</h3>
          {found.sessions.map((session) => (
            <button
              type="button"
              key={session.sessionId}
              className="result"
              onClick={() => openSession(session.sessionId)}
            >
              <strong>{nameOf(session)}</strong>
              <small>{formatAgo(Date.parse(session.updatedAt))}</small>
            </button>
          ))}
        </section>
      )}
      {found.hits.length > 0 && (
        <section>
          <h3>{t('In messages')}</h3>
          {found.hits.map((hit) => (
            <Hit key={`${hit.sessionId}/${hit.nodeId}`} hit={hit} />
          ))}
        </section>
      )}
      {found.isBusy && <p className="results-note">{t('Looking…')}</p>}
    </div>
  )
}

function Hit({ hit: { sessionId, nodeId, role, snippet, matches, timestamp, title } }: { readonly hit: SearchHit }) {
  const pieces = markMatches(snippet, matches)
  const preview = directoryOf(useConnection()).summary(sessionId)?.preview ?? ''
  let offset = 0
  return (
    <button type="button" className={`result result-${role}`} onClick={() => openSession(sessionId, nodeId)}>
      <span className="result-text">
        {(role === 'tool' ? pieces : withoutMarkdown(pieces)).map(({ text, isMatch }) => {
          const key = offset
          offset += text.length
          return isMatch ? <mark key={key}>{text}</mark> : text
        })}
      </span>
      <small>
        {nameOf({ title, preview })} · {formatAgo(Date.parse(timestamp))}
      </small>
    </button>
  )
}

function onResultKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('.result')]
  const at = all.indexOf(document.activeElement as HTMLElement)
  const next = all[at + (event.key === 'ArrowDown' ? 1 : -1)]
  if (next !== undefined) next.focus()
  else if (at === 0) document.querySelector<HTMLElement>('.session-search input')?.focus()
  event.preventDefault()
}
