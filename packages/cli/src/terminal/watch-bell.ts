import type { Settings } from '@treeline/agent'
import type { ChatScreen } from './chat-screen.ts'

interface BellOptions {
  readonly bell: Settings['bell']
  readonly ring: () => void
  readonly now?: () => number
}

/** Who waits longer looks at something else meanwhile. */
const LONG_MS = 5_000

/** Rings when the model or a command is done and nothing else waits, or when the user is asked something. */
export function watchBell(screen: ChatScreen, { bell, ring, now = Date.now }: BellOptions): () => void {
  let before = screen.getSnapshot()
  let hasWorked = false
  return screen.subscribe(() => {
    const chat = screen.getSnapshot()
    const isAsked = chat.question !== undefined && before.question === undefined
    hasWorked ||= chat.live !== undefined
    // What a slash command does is seen at once.
    const isDone = before.isBusy && !chat.isBusy && hasWorked && chat.queued.length === 0
    if (!chat.isBusy) hasWorked = false
    before = chat
    if (!isAsked && !isDone) return
    if (bell === 'always' || (bell === 'long' && now() - chat.busySinceMs >= LONG_MS)) ring()
  })
}
