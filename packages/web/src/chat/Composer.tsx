import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { tellProblem } from '../shell/notices.ts'
import type { OpenSession } from '../state/open-session.ts'
import { useStore } from '../state/store.ts'
import { t } from '../words/language.ts'
import { AttachmentStrip } from './AttachmentStrip.tsx'
import { toSpecs } from './ask-choice.ts'
import { readAttachment } from './attachments.ts'
import { chatOf } from './chat-state.ts'
import { Icon } from './Icon.tsx'
import { isSendKey } from './is-send-key.ts'
import { ModelPicker } from './ModelPicker.tsx'
import { StopButton } from './StopButton.tsx'
import type { Row } from './trunk-rows.ts'
import { useDraft } from './use-draft.ts'

const MAX_ROWS = 12

/** The box to go on in. Enter sends, Shift+Enter makes a new line, and one can always type. */
export function Composer({ session, rows }: { readonly session: OpenSession; readonly rows: readonly Row[] }) {
  const { outbox, choice, rows: rowWindow } = chatOf(session)
  const { text, attachments, write, setAttachments } = useDraft(session.id)
  const [isDropping, setDropping] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const count = toSpecs(useStore(choice)).length
  const canSend = text.trim() !== '' || attachments.length > 0

  // Who begins a chat begins to type. On a touch screen that would bring up half a screen of keys.
  const isNew = useRef(rows.length === 0)
  useEffect(() => {
    if (isNew.current && matchMedia('(pointer: fine)').matches) box.current?.focus()
  }, [])

  const attach = async (files: readonly File[]): Promise<void> => {
    for (const file of files) {
      try {
        const made = await readAttachment(file)
        setAttachments((before) => [...before, made])
      } catch (error) {
        tellProblem(error)
      }
    }
  }
  const send = (): void => {
    if (!canSend) return
    outbox.add({ text, attachments, specs: toSpecs(choice.get()) })
    // Asking several at once is for this one question.
    choice.update((chosen) => ({ ...chosen, times: 1 }))
    write('')
    setAttachments(() => [])
    rowWindow.stickToBottom()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (!isSendKey(event)) return
    event.preventDefault()
    send()
  }
  const onPaste = (event: ClipboardEvent): void => {
    const { files } = event.clipboardData
    if (files.length === 0) return
    event.preventDefault()
    void attach([...files])
  }
  const onDrop = (event: DragEvent): void => {
    setDropping(false)
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    void attach([...event.dataTransfer.files])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be chosen by the button too.
    <div
      className={isDropping ? 'composer composer-dropping' : 'composer'}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setDropping(true)
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={onDrop}
    >
      <AttachmentStrip
        attachments={attachments}
        onRemove={(gone) => setAttachments((before) => before.filter((one) => one !== gone))}
      />
      <textarea
        ref={box}
        value={text}
        rows={Math.min(MAX_ROWS, text.split('\n', MAX_ROWS).length)}
        placeholder={t('Write a message…')}
        aria-label={t('Message')}
        onChange={(event) => {
          session.texts.giveWay()
          write(event.target.value)
        }}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
      <div className="composer-buttons">
        <button
          type="button"
          className="icon"
          title={t('Attach pictures or text files')}
          aria-label={t('Attach pictures or text files')}
          onClick={() => picker.current?.click()}
        >
          <Icon name="attach" />
        </button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={({ target }) => {
            void attach([...(target.files ?? [])])
            target.value = ''
          }}
        />
        <ModelPicker session={session} />
        <span className="composer-hint">{t('Enter sends, Shift+Enter makes a new line')}</span>
        <StopButton session={session} rows={rows} />
        <button type="button" className="primary send" disabled={!canSend} onClick={send}>
          <Icon name="send" /> {count === 1 ? t('Send') : t('Ask {count}×', { count })}
        </button>
      </div>
    </div>
  )
}
