import { createStore } from '../state/store.ts'
import type { Attachment } from './attachments.ts'

const KEPT = 'treeline.draft.'

/** A message that was not sent after all. */
interface Returned {
  readonly sessionId: string
  readonly text: string
  readonly attachments: readonly Attachment[]
}

/** What comes back to the box. */
export const returned = createStore<Returned | undefined>(undefined)

export function giveBack(message: Returned): void {
  returned.set(message)
}

export function readDraft(sessionId: string): string {
  return localStorage.getItem(KEPT + sessionId) ?? ''
}

export function keepDraft(sessionId: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(KEPT + sessionId)
    else localStorage.setItem(KEPT + sessionId, text)
  } catch {
    // The browser has no room for it: it is still in the box, and only a reload loses it.
  }
}
