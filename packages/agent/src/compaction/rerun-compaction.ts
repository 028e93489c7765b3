import { type EditRequestOp, type EntryDraft, type Kind, nodePath, placeOf, runUp, type Tree } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { AgentEnv } from '../env.ts'
import { tellHook } from './compact.ts'
import { type CompactionRequest, makeCompaction } from './make-compaction.ts'
import type { CompactionReport } from './report.ts'
import { findCompaction } from './undo-compaction.ts'

export interface RerunOptions extends Pick<CompactionRequest, 'model' | 'instructions' | 'signal' | 'onNotice'> {
  readonly by?: string | undefined
}

/**
 * Writes a summary anew, beside the one there is, and puts what was said since under it. The leaf stays with the
 * conversation. One edit: undone, all is as it was. `undefined`: there is nothing to cover.
 */
export async function rerunCompaction(
  env: AgentEnv,
  session: Session,
  compactionId: string,
  { by, ...request }: RerunOptions,
): Promise<CompactionReport | undefined> {
  const tipId = tipOf(session.tree, compactionId)
  if (tipId === null) return undefined
  const made = await makeCompaction(env, session, { ...request, tipId, reason: 'manual' })
  if (made === undefined) return undefined
  const { id } = made.draft
  const changes = await readChanges(session, compactionId)
  const added = await session.appendAll([made.draft, ...changes], { parentId: tipId, leaf: 'stay' })
  const operations: EditRequestOp[] = [{ op: 'added', nodeIds: [id] }]
  for (const sourceId of followers(session.tree, session.leafId, compactionId)) {
    operations.push({ op: 'graft', sourceId, targetId: id, mode: 'move' })
  }
  if (isLeafAt(session, compactionId)) operations.push({ op: 'leaf', leafId: added.at(-1)!.id })
  await session.edit({ operations, ...(by !== undefined && { by }) })
  await tellHook(env, session, made.report, request.onNotice)
  return made.report
}

/** What it was written under: the node above it, or a change of model or the like in between. */
function tipOf(tree: Tree, compactionId: string): string | null {
  const { columns, ids } = tree
  const ref = findCompaction(tree, compactionId)
  const seat = columns.seatOf(columns.rawParent[ref]!)
  const tip = columns.ownerOf(seat) === columns.parent[ref] ? seat : columns.parent[ref]!
  return tip > 0 ? ids.textOf(tip) : null
}

/** Whether nothing was said since. */
function isLeafAt({ tree, leafId }: Session, compactionId: string): boolean {
  return leafId !== null && tree.columns.ownerOf(tree.ids.find(leafId)) === tree.ids.find(compactionId)
}

/** A change of model or the like that was made since, while nothing was said: it is made again under the new summary. */
async function readChanges(session: Session, compactionId: string): Promise<EntryDraft[]> {
  const { tree, leafId } = session
  if (!isLeafAt(session, compactionId)) return []
  const refs = [...runUp(tree, tree.ids.find(leafId!))].reverse()
  const changes = refs.filter((ref) => placeOf(tree.columns.kind[ref] as Kind) === 'path')
  const entries = await session.readEntries(changes.map((ref) => tree.ids.textOf(ref)))
  return entries.flatMap((entry) => {
    if (entry === undefined) return []
    const { id: _, parentId: __, timestamp: ___, ...said } = entry
    return [said as EntryDraft]
  })
}

/** What hangs under it on the trunk; all that does when it is on no trunk. */
function followers(tree: Tree, leafId: string | null, compactionId: string): readonly string[] {
  const ref = findCompaction(tree, compactionId)
  const trunk = leafId === null ? [] : nodePath(tree, tree.ids.find(leafId))
  const at = trunk.indexOf(ref)
  const refs = at < 0 ? tree.columns.children(ref) : trunk.slice(at + 1, at + 2)
  return refs.map((child) => tree.ids.textOf(child))
}
