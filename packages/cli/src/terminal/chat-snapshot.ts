import type { ApprovalQuestion } from '@treeline/agent'
import type { View } from './chat-actions.ts'
import type { Dialog } from './dialog/dialog.ts'
import type { Said } from './transcript/transcript.ts'

/** What is going on right now and is not in the transcript yet. */
export interface Live {
  readonly text: string
  readonly isThinking: boolean
  /** The end of its thoughts. */
  readonly thoughts?: string
  /** The tool that runs, and the end of what it prints. */
  readonly tool?: string
  readonly output?: string
}

export interface Status {
  readonly model: string
  readonly thinking: string
  readonly tokens: number
  readonly window: number
  readonly cost: number
  /** What a long session cost before is not known: reading it all takes too long. */
  readonly isCostPartial: boolean
  readonly mode: string
}

/** What the editor is to hold, with a number that says that it is new. */
export interface Draft {
  readonly text: string
  readonly version: number
  /** What is being typed stays, below it. */
  readonly isAdded: boolean
}

/** All that the screen shows. Replaced, never changed. */
export interface ChatSnapshot {
  /** Changes when the transcript is another one: it is printed anew then. */
  readonly epoch: number
  readonly said: readonly Said[]
  /** Whether thoughts and tools' output are shown whole. */
  readonly isUnfolded: boolean
  readonly live: Live | undefined
  readonly queued: readonly string[]
  readonly question: ApprovalQuestion | undefined
  readonly dialog: Dialog | undefined
  readonly isBusy: boolean
  /** When that began, or something was answered last. */
  readonly busySinceMs: number
  readonly view: View | undefined
  readonly status: Status
  readonly draft: Draft
}

export const EMPTY_CHAT: ChatSnapshot = {
  epoch: 0,
  said: [],
  isUnfolded: false,
  live: undefined,
  queued: [],
  question: undefined,
  dialog: undefined,
  isBusy: false,
  busySinceMs: 0,
  view: undefined,
  status: { model: '', thinking: '', tokens: 0, window: 0, cost: 0, isCostPartial: false, mode: 'default' },
  draft: { text: '', version: 0, isAdded: false },
}
