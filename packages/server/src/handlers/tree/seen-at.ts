import { attachedLeaf, type Entry, ROOT, runStepsAsync, type Tree, TreelineError, treeAt } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { Seen } from '../../wire/tree-head.ts'

/** The first line is the header: after it a session is empty. */
const EMPTY_SEQ = 1

/** A session as it was after an event. Nothing is written, and no body is read that the tree does not need. */
export async function seenAt(session: Session, seq: number): Promise<Seen> {
  if (seq < EMPTY_SEQ || seq > session.seq) {
    throw new TreelineError('bad_request', `There is no event ${seq}: this session has ${EMPTY_SEQ} to ${session.seq}.`)
  }
  const { id, header, epoch, tree: now } = session
  const idAt = (row: number) => now.ids.textOf(now.refAtRow(row))
  const tree = await runStepsAsync(treeAt(now, seq), (rows) => session.readEntries(rows.map(idAt)))
  const leaf = attachedLeaf(tree)
  const { name = header.title } = tree.edits
  return {
    id,
    header,
    epoch,
    tree,
    seq,
    name: name ?? undefined,
    leafId: leaf === ROOT ? null : tree.ids.textOf(leaf),
    readEntries: (ids) => readPast(session, tree, ids),
  }
}

/** A copy of then may be no more: its body is that of the node it was made from. */
async function readPast(
  session: Session,
  { edits, ids }: Tree,
  wanted: readonly string[],
): Promise<(Entry | undefined)[]> {
  const bodies = wanted.map((id) => {
    const body = edits.copies.get(ids.find(id))?.body
    return body === undefined ? id : ids.textOf(body)
  })
  const read = await session.readEntries(bodies)
  return read.map((entry, i) => entry && { ...entry, id: wanted[i]! })
}
