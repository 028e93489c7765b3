import { useEffect, useRef, useState } from 'react'
import { useStore } from '../state/store.ts'
import type { Attachment } from './attachments.ts'
import { keepDraft, readDraft, returned } from './draft.ts'

const KEEP_AFTER_MS = 300

interface Draft {
  readonly text: string
  readonly attachments: readonly Attachment[]
  readonly write: (text: string) => void
  readonly setAttachments: (change: (before: readonly Attachment[]) => readonly Attachment[]) => void
}

/** What stands in the box of a session. The words are there again after a reload. */
export function useDraft(sessionId: string): Draft {
  const [text, setText] = useState(() => readDraft(sessionId))
  const [attachments, setAttachments] = useState<readonly Attachment[]>([])
  const latest = useRef(text)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const write = (next: string): void => {
    latest.current = next
    setText(next)
    clearTimeout(timer.current)
    // What is sent must not come back; the rest need not be written with every key.
    if (next === '') keepDraft(sessionId, next)
    else timer.current = setTimeout(() => keepDraft(sessionId, next), KEEP_AFTER_MS)
  }
  useEffect(() => {
    const keep = (): void => keepDraft(sessionId, latest.current)
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('pagehide', keep)
      clearTimeout(timer.current)
      keep()
    }
  }, [sessionId])
  const back = useStore(returned)
  useEffect(() => {
    if (back?.sessionId !== sessionId) return
    returned.set(undefined)
    latest.current = [back.text, latest.current].filter((part) => part !== '').join('\n\n')
    setText(latest.current)
    setAttachments((before) => [...back.attachments, ...before])
  }, [back, sessionId])
  return { text, attachments, write, setAttachments }
}
