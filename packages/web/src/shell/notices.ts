import { RefusedError } from '@treeline/protocol'
import { createStore } from '../state/store.ts'
import { explainProblem } from '../words/explain-problem.ts'

/** A word to the reader that stands in nobody's way. */
export interface Notice {
  readonly id: number
  /** `busy` stays until it is taken away: something is under way. */
  readonly kind: 'info' | 'problem' | 'busy'
  readonly text: string
  /** The session in which the action would change something. */
  readonly of?: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

const SHOWN_MS = 8_000

let nextId = 1
export const notices = createStore<readonly Notice[]>([])

/** The last word counts: it takes the place of the one before, which would only cover more. Others stay beside it. Gives its id. */
export function tell(text: string, more: Omit<Partial<Notice>, 'id' | 'text'> = {}): number {
  const notice: Notice = { id: nextId++, kind: 'info', text, ...more }
  const stays = (one: Notice) => one.text !== text && (one.kind !== 'info' || notice.kind !== 'info')
  notices.update((all) => [...all.filter(stays).slice(-2), notice])
  if (notice.kind !== 'busy') setTimeout(() => dismiss(notice.id), SHOWN_MS)
  return notice.id
}

/** What the server, or the way to it, says against something. */
export function tellProblem(error: unknown): void {
  // Who undoes to the end has done nothing wrong.
  const isEnd = error instanceof RefusedError && error.code === 'nothing_to_undo'
  tell(explainProblem(error), { kind: isEnd ? 'info' : 'problem' })
}

export function dismiss(id: number): void {
  notices.update((all) => all.filter((notice) => notice.id !== id))
}

/** Takes away what is still offered to be done in a session. */
export function dismissOf(sessionId: string): void {
  notices.update((all) => all.filter((notice) => notice.of !== sessionId))
}
