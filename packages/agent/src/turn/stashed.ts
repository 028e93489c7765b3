import { ROOT, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'

/** What keeps a branch from going on: it is in the stash, and its line would be that of the place it was taken from. */
export function findStashed({ tree }: Session, tipId: string | null): TreelineError | undefined {
  const { columns, ids } = tree
  const ref = tipId === null ? ROOT : ids.find(tipId)
  if (ref <= ROOT || columns.isAttached(columns.ownerOf(ref))) return undefined
  const message = `Node ${tipId} is in the stash. Graft it back before going on from it.`
  return new TreelineError('node_detached', message, { nodeIds: [tipId!] })
}
