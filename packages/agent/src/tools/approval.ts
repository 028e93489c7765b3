import type { ToolPreview } from './tool.ts'

/** N24: what runs without a question. `default`: what only reads. `autoEdit`: edits too. `yolo`: everything. */
export type ApprovalMode = 'default' | 'autoEdit' | 'yolo'

export interface ApprovalQuestion {
  readonly sessionId: string
  readonly nodeId: string
  readonly toolCallId: string
  readonly toolName: string
  readonly effect: 'read' | 'edit' | 'run'
  readonly input: unknown
  readonly cwd: string
  /** Exactly what will run. */
  readonly preview: ToolPreview
}

/** `tool`: this one from now on in this session. `edits`: all edits from now on. A denial's reason is told to the model. */
export type ApprovalAnswer =
  | { readonly decision: 'once' | 'tool' | 'edits' }
  | { readonly decision: 'deny'; readonly reason?: string }

/** Asks the user. Without it what would have to be asked is denied. */
export type AskApproval = (question: ApprovalQuestion, signal: AbortSignal) => Promise<ApprovalAnswer>
