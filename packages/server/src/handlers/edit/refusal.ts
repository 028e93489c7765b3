import { type ErrorDetails, ROOT, type Tree, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'

/** Which of the client's operations one of ours comes from. */
export type IndexOf = (opIndex: number) => number

/**
 * Why an edit was refused, for a client: which of its own operations it was and, where a race was lost, which nodes are
 * newer and how far the session is by now.
 */
export function toRefusal({ tree, seq }: Session, error: unknown, indexOf?: IndexOf): unknown {
  if (!(error instanceof TreelineError)) return error
  const { opIndex, ...details } = error.details
  const told: ErrorDetails = {
    ...details,
    ...(opIndex !== undefined && indexOf !== undefined && { opIndex: indexOf(opIndex) }),
    ...(error.status === 409 && { currentVersion: seq }),
    ...(error.code === 'stale_node' && { conflicts: details.conflicts ?? conflictsAt(tree, details.nodeIds ?? []) }),
  }
  return new TreelineError(error.code, error.message, told, { cause: error })
}

/** Where an undo comes too late, the nodes are known and not yet how new they are. */
function conflictsAt(tree: Tree, nodeIds: readonly string[]): NonNullable<ErrorDetails['conflicts']> {
  return nodeIds.map((nodeId) => {
    const ref = tree.ids.find(nodeId)
    return { nodeId, version: ref > ROOT ? tree.versionOf(ref) : 0, reason: 'changed since' }
  })
}
