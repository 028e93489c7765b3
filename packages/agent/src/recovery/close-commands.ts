import {
  type BashExecutionMessage,
  type Entry,
  Flag,
  isSafeId,
  Kind,
  nodePath,
  ROOT,
  Role,
  type Tree,
} from '@treeline/core'
import type { Session } from '@treeline/store'
import { ATTEMPT_TYPE } from '../turn/run-calls.ts'
import { appendOnce } from './append-once.ts'
import { readInBatches } from './read-in-batches.ts'
import { type IsWorkedOn, writerOf } from './worked-on.ts'

/** A command that a user typed behind `!`. */
interface Typed {
  readonly nodeId: string
  readonly command: string
  readonly isExcluded: boolean
  readonly writer: string | undefined
  readonly parentId: string | null
}

/**
 * Ends commands whose process is gone, where they were typed. Nothing runs. `startId` is the node at which the path ended
 * when they were looked for.
 */
export async function closeCommands(
  session: Session,
  commands: readonly Typed[],
  startId: string | null,
  isWorkedOn: IsWorkedOn,
): Promise<{ readonly commandIds: string[]; readonly runningIds: string[] }> {
  const commandIds: string[] = []
  const runningIds: string[] = []
  for (const typed of commands) {
    const { nodeId, command, isExcluded } = typed
    if (isWorkedOn(nodeId, typed.writer)) {
      runningIds.push(nodeId)
      continue
    }
    const message: BashExecutionMessage = {
      role: 'bashExecution',
      command,
      output:
        'Interrupted: the process ended while this command ran. It may have done all, a part or nothing of its work.',
      cancelled: true,
      truncated: false,
      ...(isExcluded && { excludeFromContext: true }),
      timestamp: Date.now(),
    }
    // Those that were typed at the end of the path follow each other.
    const parentId = typed.parentId === startId ? session.leafId : typed.parentId
    const { isWritten } = await appendOnce(session, { type: 'message', id: nodeId, message }, parentId)
    if (isWritten) commandIds.push(nodeId)
  }
  return { commandIds, runningIds }
}

/** The node at which a session goes on. */
export function lastNode({ tree, leafId }: Session): string | null {
  const node = leafId === null ? ROOT : tree.columns.ownerOf(tree.ids.find(leafId))
  return node === ROOT ? null : tree.ids.textOf(node)
}

/** Commands on the active path that have no output. */
export async function findTyped(session: Session): Promise<Typed[]> {
  const { tree } = session
  const found: Typed[] = []
  for await (const entry of readInBatches(session, listCandidates(tree, session.leafId))) {
    const typed = readTyped(tree, entry)
    if (typed !== undefined) found.push(typed)
  }
  return found
}

/** Attempts and the like on the path. After those of tools the path goes on with a result, so they need not be read. */
function listCandidates(tree: Tree, leafId: string | null): string[] {
  const { columns, ids } = tree
  const { kind } = columns
  const candidates: string[] = []
  let next: Map<number, number> | undefined
  for (let row = 0; row < tree.rowCount; row++) {
    const ref = tree.refAtRow(row)
    if (kind[ref] !== Kind.treeline) continue
    next ??= nextOnPath(tree, leafId)
    const follower = next.get(columns.ownerOf(ref))
    if (follower !== undefined && columns.role[follower] !== Role.toolResult) candidates.push(ids.textOf(ref))
  }
  return candidates
}

/** For every node of the path, and for what is above it, the node that comes next; for the last, itself. */
function nextOnPath(tree: Tree, leafId: string | null): Map<number, number> {
  const path = [ROOT, ...nodePath(tree, leafId === null ? ROOT : tree.ids.find(leafId))]
  return new Map(path.map((ref, i) => [ref, path[i + 1] ?? ROOT]))
}

function readTyped({ columns, ids }: Tree, entry: Entry): Typed | undefined {
  if (entry.customType !== ATTEMPT_TYPE) return undefined
  const { nodeId, command, isExcluded } = (entry.data ?? {}) as Readonly<Record<string, unknown>>
  if (!isSafeId(nodeId) || typeof command !== 'string') return undefined
  const ref = ids.find(nodeId)
  if (ref > ROOT && columns.has(ref, Flag.known)) return undefined
  const above = columns.ownerOf(ids.find(entry.id))
  return {
    nodeId,
    command,
    isExcluded: isExcluded === true,
    writer: writerOf(entry.data),
    parentId: above === ROOT ? null : ids.textOf(above),
  }
}
