import type { ChatMessageNode } from '@treeline/protocol'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { OpenSession } from '../state/open-session.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { chatOf } from './chat-state.ts'
import { isSendKey } from './is-send-key.ts'
import { sayDifferently } from './message-actions.ts'

/** Writes a message anew where it stands. The old one stays, as a version beside it. */
export function MessageEditor({ session, node }: { readonly session: OpenSession; readonly node: ChatMessageNode }) {
  const { editing } = chatOf(session)
  const text = useStore(editing).get(node.id) ?? ''
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    box.current?.focus()
    box.current?.setSelectionRange(box.current.value.length, box.current.value.length)
  }, [])
  const write = (next: string): void => editing.update((all) => new Map(all).set(node.id, next))
  const close = (): void => {
    const article = box.current?.closest<HTMLElement>('article')
    editing.update((all) => new Map([...all].filter(([id]) => id !== node.id)))
    article?.focus()
  }
  const save = async (): Promise<void> => {
    if (text.trim() !== '' && (await sayDifferently(session, node, text))) close()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close()
    else if (isSendKey(event)) void save()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="message-editor">
      <textarea
        ref={box}
        value={text}
        rows={Math.min(16, text.split('\n').length + 1)}
        aria-label={t('Say it differently')}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="row-of-buttons">
        <span className="soft">{t('The old version stays beside it.')}</span>
        <button type="button" onClick={close}>
          {t('Cancel')}
        </button>
        <button type="button" className="primary" disabled={text.trim() === ''} onClick={() => void save()}>
          {node.role === 'user' ? t('Send') : t('Save')}
        </button>
      </div>
    </div>
  )
}
