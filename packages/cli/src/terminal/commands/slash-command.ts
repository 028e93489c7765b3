import type { ChatActions } from '../chat-actions.ts'

/** What the user can say to the chat instead of to the model. */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string
  /** What may follow, for help: `[NODE]`. */
  readonly args?: string
  /** Asked when it is shown: the language is known only then. */
  readonly help: () => string
  /** The words that may follow, where only these may: for completion. */
  readonly choices?: readonly string[]
  /** What may stand as the argument, given what was typed of it. Asked with every key: bounded work only. Late answers are dropped. */
  readonly complete?: (actions: ChatActions, begun: string) => Promise<readonly string[]>
  /** Throws what the user did wrong; `runSlash` shows it. */
  run(actions: ChatActions, rest: string): Promise<void>
}
