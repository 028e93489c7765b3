import type { OpenSession } from '../state/open-session.ts'
import { createStore } from '../state/store.ts'
import { type AskChoice, readChoice } from './ask-choice.ts'
import { Outbox } from './outbox.ts'
import { RowWindow } from './row-window.ts'

/** What of the chat outlives its being drawn: one can look at the tree and come back. */
export interface ChatState {
  readonly outbox: Outbox
  /** Muted nodes that are shown all the same. */
  readonly opened: ReturnType<typeof createStore<ReadonlySet<string>>>
  /** Messages that are being written anew, and how far that is. */
  readonly editing: ReturnType<typeof createStore<ReadonlyMap<string, string>>>
  readonly choice: ReturnType<typeof createStore<AskChoice>>
  readonly rows: RowWindow
}

const states = new WeakMap<OpenSession, ChatState>()

export function chatOf(session: OpenSession): ChatState {
  const known = states.get(session)
  if (known !== undefined) return known
  const made: ChatState = {
    outbox: new Outbox(session),
    opened: createStore<ReadonlySet<string>>(new Set()),
    editing: createStore<ReadonlyMap<string, string>>(new Map()),
    choice: createStore(readChoice(session.id)),
    rows: new RowWindow(),
  }
  states.set(session, made)
  return made
}
