import type { Agent } from '@treeline/agent'
import type { Session } from '@treeline/store'
import type { Context } from '../context.ts'
import type { ChoiceQuestion } from './dialog/dialog.ts'

/** What covers the editor until it is closed. */
export type View = 'branch' | 'fork' | 'tree' | 'sessions' | 'history'

/** What slash commands and lists may do with a running chat. */
export interface ChatActions {
  readonly agent: Agent
  readonly context: Context
  /** The session that is talked in, as of now. */
  readonly session: Session
  readonly cwd: string
  /** Aborted when the user cancels what a command does. */
  readonly signal: AbortSignal
  /** Puts text into the transcript: plain, sanitised when it is shown. Several lines are fine. */
  show(text: string): void
  /** The same for what the user should not overlook. */
  warn(text: string): void
  /** Asks over the editor. `undefined` when the user goes back. */
  choose<T extends string>(question: ChoiceQuestion<T>): Promise<T | undefined>
  /** Lets a line be typed, beginning with `text`. `undefined` when the user goes back. */
  askLine(title: string, text?: string): Promise<string | undefined>
  /** Replaces what stands in the editor. */
  setEditor(text: string): void
  open(view: View): void
  /** Goes on in another session; the transcript shows its trunk. */
  switchTo(session: Session): Promise<void>
  /** Shows the trunk anew after the tree has changed. */
  reload(): Promise<void>
  /** Ends the program. */
  quit(): void
}
