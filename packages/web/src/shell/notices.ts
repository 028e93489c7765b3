import { createStore } from '../state/store.ts'

/** A word to the reader that stands in nobody's way. */
export interface Notice {
  readonly id: number
  readonly kind: 'info' | 'problem'
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

const SHOWN_MS = 8_000

let nextId = 1
export const notices = createStore<readonly Notice[]>([])

/** The last word counts: it takes the place of the one before, which would only cover more. Problems stay beside it. */
export function tell(text: string, more: Omit<Partial<Notice>, 'id' | 'text'> = {}): void {
  const notice: Notice = { id: nextId++, kind: 'info', text, ...more }
  const stays = (one: Notice) => one.text !== text && (one.kind === 'problem' || notice.kind === 'problem')
  notices.update((all) => [...all.filter(stays).slice(-2), notice])
  setTimeout(() => dismiss(notice.id), SHOWN_MS)
}

/** What the server, or the way to it, says against something. */
export function tellProblem(error: unknown): void {
  tell(error instanceof Error ? error.message : String(error), { kind: 'problem' })
}

export function dismiss(id: number): void {
  notices.update((all) => all.filter((notice) => notice.id !== id))
}
