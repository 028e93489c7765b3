import type { Session } from '@treeline/store'
import type { CompactionReport } from './compaction/report.ts'
import type { Prompt } from './turn/prompt.ts'

/** What a hook before something may say: go on, go on with something else, or leave it. */
export type HookAnswer<T> =
  | undefined
  | { readonly action: 'replace'; readonly value: T }
  | { readonly action: 'cancel'; readonly reason: string }

type Before<In, Out> = (session: Session, what: In) => Promise<HookAnswer<Out>> | HookAnswer<Out>
type After<In> = (session: Session, what: In) => Promise<void> | void

/** Called around what the agent does. A `before` hook that throws cancels; an `after` hook that throws is told as a notice. */
export interface Hooks {
  /** May replace the prompt. */
  readonly beforeTurn?: Before<{ readonly prompt: Prompt | undefined }, Prompt>
  readonly afterTurn?: After<{ readonly reason: string; readonly leafId: string | null }>
  /** May replace the summary: no model is asked then. */
  readonly beforeCompaction?: Before<
    { readonly coveredIds: readonly string[]; readonly previousSummary: string | undefined },
    { readonly summary: string }
  >
  readonly afterCompaction?: After<CompactionReport>
  /** Before the leaf leaves a branch. May replace the summary of what was tried there. */
  readonly beforeBranch?: Before<
    { readonly fromId: string | null; readonly toId: string | null },
    { readonly summary: string }
  >
  readonly afterBranch?: After<{ readonly leafId: string | null; readonly summaryId?: string }>
}
