import type { EditOp } from '@treeline/protocol'
import { tellProblem } from '../shell/notices.ts'
import { tellUndoable } from '../shell/undoable.ts'
import type { OpenSession } from '../state/open-session.ts'
import { t } from '../words/language.ts'

/** Which nodes one stands for: those that it names, all before it for a compaction, none for any other. */
export function coveredBy(session: OpenSession, nodeId: string): readonly string[] | 'all' | undefined {
  const { kind, summarizedFrom } = session.node(nodeId)?.metadata ?? {}
  if (kind === 'compaction') return 'all'
  return summarizedFrom === undefined || summarizedFrom.length === 0 ? undefined : summarizedFrom
}

/**
 * Takes a summary away, so that the nodes themselves are sent again; what was said after it moves up. One edit of its own:
 * it works for summaries of any age and any tool, and can be undone like every other.
 */
export async function undoSummary(session: OpenSession, nodeId: string): Promise<void> {
  const covers = coveredBy(session, nodeId)
  const muted = covers === undefined || covers === 'all' ? [] : covers.filter((id) => session.isMuted(id))
  const operations: EditOp[] = [{ op: 'delete', nodeIds: [nodeId], how: 'splice' }]
  if (muted.length > 0) operations.push({ op: 'setEnabled', nodeIds: muted, isEnabled: true })
  try {
    const { opId } = await session.edit(operations)
    tellUndoable(session, t('The summary is gone; what it stood for is sent again.'), opId)
  } catch (error) {
    tellProblem(error)
  }
}
