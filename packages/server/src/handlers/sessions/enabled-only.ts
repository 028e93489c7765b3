import { Flag, ROOT } from '@treeline/core'
import { openMemoryStore, type Session } from '@treeline/store'

export interface Part {
  readonly leafId: string | null
  readonly branches: 'trunk' | 'all'
}

/**
 * Hands over a copy of a session without what is muted in it: what hung under a muted node hangs under the one above. The
 * copy is in memory, of a trunk only its nodes; the session itself is not changed.
 */
export async function enabledOnly(
  session: Session,
  { leafId, branches }: Part,
  use: (shown: Session) => Promise<void>,
): Promise<void> {
  await using memory = await openMemoryStore()
  const how = branches === 'all' ? 'whole' : 'path'
  await using copy = await memory.fork(session, { how, nodeId: leafId, id: session.id })
  const { columns, ids } = copy.tree
  const muted: string[] = []
  for (const ref of columns.subtree(ROOT)) {
    if (ref !== ROOT && columns.has(ref, Flag.muted)) muted.push(ids.textOf(ref))
  }
  if (muted.length > 0) await copy.edit({ operations: [{ op: 'delete', nodeIds: muted, how: 'splice' }], auto: true })
  if (branches === 'all') {
    await use(copy)
    return
  }
  await using other = await openMemoryStore()
  await using clean = await other.fork(copy, { how: 'path', id: session.id })
  await use(clean)
}
