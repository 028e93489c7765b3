import type { Entry } from '@treeline/core'
import type { EventBody } from './edit-events.ts'
import { objectOr, textOr } from './json.ts'

const APPROVAL_TYPE = 'treeline/approval'
const DECISIONS = ['once', 'tool', 'edits', 'deny'] as const

/** A question whether a tool may run, or what was said to it; `undefined` for a line that is neither. */
export function approvalEvent(entry: Entry): EventBody | undefined {
  if (entry.customType !== APPROVAL_TYPE) return undefined
  const { toolCallId, nodeId, name, decision, reason, input, shown } = objectOr(entry.data)
  if (typeof toolCallId !== 'string' || typeof nodeId !== 'string') return undefined
  const approvalId = toApprovalId(toolCallId)
  const decided = DECISIONS.find((one) => one === decision)
  if (decided !== undefined) {
    return { type: 'approval.resolved', approvalId, decision: decided, ...(typeof reason === 'string' && { reason }) }
  }
  if (decision !== undefined) return undefined
  return { type: 'approval.requested', approvalId, nodeId, tool: textOr(name), input, shown: textOr(shown) }
}

/** Providers give calls ids of any form; on the wire an id is one that can stand in a path. */
function toApprovalId(toolCallId: string): string {
  const safe = toolCallId.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, 127)
  return /^[A-Za-z0-9]/.test(safe) ? safe : `c${safe}`
}
