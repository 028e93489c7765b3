import type { EntryId } from '../entry/entry.ts'

/**
 * - `unreadable`: the body could not be read.
 * - `no_message`: a message entry without a usable `message`.
 * - `bad_content`: content that is neither text nor blocks; the message is given with empty content.
 * - `bad_summary`: a compaction or branch summary without text; a compaction is then as if it were not there.
 * - `bad_edit`: a context_edit that says nothing we can apply.
 * - `bad_value`: a change of model, mode, thinking … whose value has the wrong type.
 */
export type ProblemReason = 'unreadable' | 'no_message' | 'bad_content' | 'bad_summary' | 'bad_edit' | 'bad_value'

/** An entry that gave the context less than it should. Reported, never fatal (I2, I3). */
export interface ContextProblem {
  readonly entryId: EntryId
  readonly position: number
  readonly reason: ProblemReason
}
