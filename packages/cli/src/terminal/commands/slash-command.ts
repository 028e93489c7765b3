import type { ChatActions } from '../chat-actions.ts'

/** What the user can say to the chat instead of to the model. */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string
  /** What may follow, for help: `[NODE]`. */
  readonly args?: string
  readonly help: string
  /** The words that may follow, where only these may: for completion. */
  readonly choices?: readonly string[]
  /** Throws what the user did wrong; `runSlash` shows it. */
  run(actions: ChatActions, rest: string): Promise<void>
}
