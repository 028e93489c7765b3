import { type EntryDraft, ROOT, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'

interface AppendedOnce {
  /** False when it was there already. */
  readonly isWritten: boolean
  /** Where the branch ends now. */
  readonly endId: string | null
}

/**
 * Puts an entry at the end of a branch that another process may put there at the same moment, under the same id. Whoever
 * was quicker, a leaf that was at the end of the branch is at the entry afterwards.
 */
export async function appendOnce(
  session: Session,
  draft: EntryDraft & { readonly id: string },
  parentId: string | null,
): Promise<AppendedOnce> {
  const isHere = session.leafId === parentId
  const isWritten = await append(session, draft, parentId)
  if (!isWritten && !isUnder(session, draft.id, parentId)) return { isWritten, endId: parentId }
  if (isHere && session.leafId === parentId) await session.branch(draft.id)
  return { isWritten, endId: draft.id }
}

async function append(session: Session, draft: EntryDraft, parentId: string | null): Promise<boolean> {
  try {
    await session.append(draft, { parentId, leaf: { ifAt: parentId } })
    return true
  } catch (error) {
    if (error instanceof TreelineError && error.code === 'id_in_use') return false
    throw error
  }
}

function isUnder({ tree }: Session, nodeId: string, parentId: string | null): boolean {
  const { columns, ids } = tree
  const above = parentId === null ? ROOT : columns.ownerOf(ids.find(parentId))
  return columns.parent[ids.find(nodeId)] === above
}
