import type { Routes } from '@treeline/protocol'
import type { Handler } from '../../http/handler.ts'

/** Answers whether a tool may run. What was decided comes as an event once it is durable. */
export const resolveApproval: Handler<Routes['resolveApproval']> = async ({ approvals }, { params, body }) => {
  const { sessionId, approvalId } = params
  const { decision, reason } = body
  const denied = { decision: 'deny', ...(reason !== undefined && { reason }) } as const
  approvals.resolve(sessionId, approvalId, decision === 'deny' ? denied : { decision })
  return { status: 200, body: { approvalId, decision } }
}
