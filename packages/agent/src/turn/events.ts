import type { ErrorCode, StopReason, Usage } from '@treeline/core'
import type { CompactionReport } from '../compaction/report.ts'
import type { ApprovalQuestion } from '../tools/approval.ts'

/**
 * What happens in a turn, in order. Everything told of as done is durable by then (W5); deltas are not, they are text on
 * its way.
 */
export type TurnEvent =
  /** The user's prompt is durable (D6). */
  | { readonly type: 'prompted'; readonly nodeId: string }
  /** An answer is announced in the log; the model is called next. */
  | { readonly type: 'started'; readonly nodeId: string; readonly parentId: string | null; readonly model: string }
  /** `offset` counts the characters of its kind that came before it in this answer. */
  | {
      readonly type: 'delta'
      readonly nodeId: string
      readonly kind: 'text' | 'thinking'
      readonly text: string
      readonly offset: number
    }
  /** The call failed and will be repeated in `delayMs`, for the same answer or, when it had text, for a new one beside it. */
  | {
      readonly type: 'retrying'
      readonly nodeId: string
      readonly attempt: number
      readonly delayMs: number
      readonly code: ErrorCode
      readonly message: string
    }
  /** An answer is complete. */
  | {
      readonly type: 'finished'
      readonly nodeId: string
      readonly stopReason: StopReason
      readonly usage?: Usage
      readonly latencyMs: number
    }
  /** An answer ended early: cancelled, or with an error that is in the tree too. Its text so far is kept. */
  | {
      readonly type: 'failed'
      readonly nodeId: string
      readonly code: ErrorCode
      readonly message: string
      readonly isCancelled: boolean
    }
  /** The model wants a tool to run. `question` when the user is asked first. */
  | {
      readonly type: 'tool_asked'
      readonly nodeId: string
      readonly toolCallId: string
      readonly name: string
      readonly input: unknown
      readonly question?: ApprovalQuestion
    }
  /** The attempt is in the log; the tool runs now (D6). */
  | { readonly type: 'tool_started'; readonly nodeId: string; readonly toolCallId: string; readonly name: string }
  | { readonly type: 'tool_output'; readonly toolCallId: string; readonly text: string }
  /** `nodeId` is the result's. */
  | {
      readonly type: 'tool_done'
      readonly nodeId: string
      readonly toolCallId: string
      readonly name: string
      readonly isError: boolean
    }
  | { readonly type: 'compacting'; readonly reason: 'threshold' | 'overflow'; readonly tokens: number }
  | { readonly type: 'compacted'; readonly nodeId: string; readonly report: CompactionReport }
  /** Something the user should know that stops nothing: a compaction that failed, a model that had to be replaced. */
  | { readonly type: 'notice'; readonly code: ErrorCode; readonly message: string }
  /** The last one. `limit`: more steps than allowed, or no money left. */
  | {
      readonly type: 'ended'
      readonly reason: 'stop' | 'cancelled' | 'failed' | 'denied' | 'limit'
      readonly leafId: string | null
    }
