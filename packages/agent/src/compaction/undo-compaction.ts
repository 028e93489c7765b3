import { Flag, Kind, ROOT, type Tree, TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'

/**
 * Takes a compaction away: the line is what it was before, and what was said since hangs where it would have been said.
 * Nothing is lost; `session.redo` brings it back. One that another tool wrote is deleted, which can be undone as well.
 */
export async function undoCompaction(session: Session, compactionId: string, by?: string): Promise<void> {
  const { tree } = session
  findCompaction(tree, compactionId)
  const who = by === undefined ? {} : { by }
  const editId = findAddedEdit(tree, compactionId)
  try {
    if (editId !== undefined) return void (await session.undo({ editId, ...who }))
  } catch (error) {
    // It was moved since, or written anew in the place of another and gone on from: then it alone is taken out.
    if (!(error instanceof TreelineError) || error.code !== 'stale_node') throw error
  }
  await session.edit({ operations: [{ op: 'delete', nodeIds: [compactionId], how: 'splice' }], ...who })
}

/** The ref of a compaction that is in the tree. */
export function findCompaction({ ids, columns }: Tree, id: string): number {
  const ref = ids.find(id)
  const isThere = ref > ROOT && columns.has(ref, Flag.known) && !columns.has(columns.topOf(ref), Flag.deleted)
  if (isThere && columns.kind[ref] === Kind.compaction) return ref
  const message = `There is no compaction ${id} in this session${ref > ROOT ? ', or it is undone already' : ''}.`
  throw new TreelineError('node_not_found', message, { nodeIds: [id] })
}

/** The edit that says that it was added by one action, as long as that alone is what it takes back. */
function findAddedEdit({ edits }: Tree, id: string): string | undefined {
  return edits.records.find(
    ({ undoes, inverse }) =>
      undoes === undefined &&
      inverse.some((op) => op.op === 'delete' && op.was === undefined && op.nodeIds.includes(id)),
  )?.id
}
