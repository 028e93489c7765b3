import type { Entry } from '@treeline/core'
import { toApprovalId } from './approval-id.ts'
import type { EventBody } from './edit-events.ts'
import { objectOr, textOr } from './json.ts'

export const APPROVAL_TYPE = 'treeline/approval'
const DECISIONS = ['once', 'tool', 'edits', 'deny'] as const

/** A question whether a tool may run, or what was said to it; `undefined` for a line that is neither. */
export function approvalEvent(entry: Entry): EventBody | undefined {
  if (entry.customType !== APPROVAL_TYPE) return undefined
  const { toolCallId, nodeId, name, decision, reason, input, shown } = objectOr(entry.data)
  if (typeof toolCallId !== 'string' || typeof nodeId !== 'string') return undefined
  const approvalId = toApprovalId(nodeId, toolCallId)
  const decided = DECISIONS.find((one) => one === decision)
  if (decided !== undefined) {
    return { type: 'approval.resolved', approvalId, decision: decided, ...(typeof reason === 'string' && { reason }) }
  }
  if (decision !== undefined) return undefined
  return { type: 'approval.requested', approvalId, nodeId, tool: textOr(name), input, shown: textOr(shown) }
}
