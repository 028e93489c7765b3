import { type FormEvent, useState } from 'react'
import { Icon } from '../chat/Icon.tsx'
import type { Connection } from '../server/connection.ts'
import { Dialog } from '../shell/Dialog.tsx'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { changeSession } from './session-actions.ts'
import { directoryOf } from './session-directory.ts'

interface TagsDialogProps {
  readonly connection: Connection
  readonly sessionId: string
  readonly onClose: () => void
}

/** The tags of one session: taken away by a click, added by name, those of other sessions offered. */
export function TagsDialog({ connection, sessionId, onClose }: TagsDialogProps) {
  const directory = directoryOf(connection)
  const { tags: known } = useStore(directory.state)
  const tags = directory.summary(sessionId)?.tags ?? []
  const [text, setText] = useState('')
  const set = (next: readonly string[]): void => void changeSession(connection, sessionId, { tags: [...next] })
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault()
    const added = text
      .split(/[,，]/)
      .map((tag) => tag.trim().slice(0, 100))
      .filter((tag) => tag !== '')
    if (added.length > 0) set([...new Set([...tags, ...added])].slice(0, 50))
    setText('')
  }
  const offered = known.filter((tag) => !tags.includes(tag)).slice(0, 30)
  return (
    <Dialog title={t('Tags')} onClose={onClose}>
      <div className="tag-chips">
        {tags.length === 0 && <p className="soft">{t('No tags yet. A tag is a word you find conversations by.')}</p>}
        {tags.map((tag) => (
          <button
            type="button"
            key={tag}
            className="tag"
            title={t('Take away')}
            onClick={() => set(tags.filter((one) => one !== tag))}
          >
            {tag} <Icon name="close" />
          </button>
        ))}
      </div>
      <form className="tag-form" onSubmit={onSubmit}>
        <input
          value={text}
          aria-label={t('New tag')}
          placeholder={t('New tag')}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit" className="primary" disabled={text.trim() === ''}>
          {t('Add')}
        </button>
      </form>
      {offered.length > 0 && (
        <div className="tag-chips">
          <span className="soft">{t('Used elsewhere:')}</span>
          {offered.map((tag) => (
            <button type="button" key={tag} className="tag" onClick={() => set([...tags, tag])}>
              + {tag}
            </button>
          ))}
        </div>
      )}
    </Dialog>
  )
}
