import type { Session } from '@treeline/store'
import type { ApprovalAnswer, ApprovalQuestion } from './approval.ts'
import { ownSince, readOwn } from './decide.ts'

/**
 * Writes an answer down and makes it last as long as it says: when this resolves, what was allowed is durable, and nothing
 * that others have allowed meanwhile is lost.
 */
export async function applyAnswer(
  session: Session,
  { nodeId, toolCallId, toolName }: Pick<ApprovalQuestion, 'nodeId' | 'toolCallId' | 'toolName'>,
  answer: ApprovalAnswer,
): Promise<void> {
  const { decision } = answer
  const since = ownSince(session)
  const reason = answer.decision === 'deny' ? answer.reason?.toWellFormed() : undefined
  const data = { toolCallId, nodeId, name: toolName, decision, ...(reason !== undefined && { reason }) }
  // Under the answer that asks and not under the leaf, which may be an answer that is still being generated elsewhere.
  await session.append({ type: 'custom', customType: 'treeline/approval', data }, { parentId: nodeId, leaf: 'stay' })
  if (decision === 'tool') {
    await session.updateConfig((config, tree) => ({
      approvalTools: [...new Set([...readOwn(config, tree, since).approvalTools, toolName])],
    }))
  }
  // Never less than it allows already.
  if (decision === 'edits') {
    await session.updateConfig((config, tree) =>
      readOwn(config, tree, since).approvalMode === 'yolo' ? {} : { approvalMode: 'autoEdit' },
    )
  }
}
