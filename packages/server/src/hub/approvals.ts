import type { ApprovalAnswer, AskApproval } from '@treeline/agent'

/** Questions whether a tool may run, while the tool waits for somebody to answer. */
export interface Approvals {
  /** For the agent. */
  readonly ask: AskApproval
  /** Throws `approval_not_found` when nothing waits for it. */
  resolve(sessionId: string, approvalId: string, answer: ApprovalAnswer): void
}
