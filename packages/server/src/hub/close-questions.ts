import { type Entry, Kind, ROOT, Role, type Tree } from '@treeline/core'
import type { Session } from '@treeline/store'
import { APPROVAL_TYPE, approvalEvent } from '../wire/approval-event.ts'
import { objectOr } from '../wire/json.ts'

/**
 * Questions whether a tool may run that nobody will answer, because the process that asked has ended: each is taken away
 * by a denial, so that no client shows it for ever. Those of a process that lives are left alone. One that cannot be
 * answered, on a full disk or because its line names no node, is told of and stays: the session can be read all the same.
 */
export async function closeQuestions(session: Session, onProblem: (error: unknown) => void): Promise<void> {
  if (session.access.mode === 'read') return
  const open = new Map<string, Entry>()
  for (const entry of await session.readEntries([...sayingsOfOpenCalls(session.tree)])) {
    const event = entry && approvalEvent(entry)
    if (event?.type === 'approval.requested') open.set(event.approvalId, entry!)
    if (event?.type === 'approval.resolved') open.delete(event.approvalId)
  }
  for (const { data } of open.values()) {
    const { toolCallId, nodeId, name, writer } = objectOr(data)
    if (typeof writer === 'string' && session.isWriterAlive(writer)) continue
    const denied = { toolCallId, nodeId, name, decision: 'deny', reason: 'interrupted' }
    const entry = { type: 'custom', customType: APPROVAL_TYPE, data: denied }
    await session.append(entry, { parentId: nodeId as string, leaf: 'stay' }).catch(onProblem)
  }
}

/** What stands beside answers under which nothing was said but results: nothing else is read, however long the log is. */
function* sayingsOfOpenCalls(tree: Tree): Generator<string> {
  const { columns, ids } = tree
  const isOpen = new Map<number, boolean>()
  for (let row = 0; row < tree.rowCount; row++) {
    if (tree.heads.kind[row] !== Kind.treeline) continue
    const ref = tree.refAtRow(row)
    const answer = columns.ownerOf(ref)
    if (answer <= ROOT) continue
    if (!isOpen.has(answer)) isOpen.set(answer, endsWithResults(tree, answer))
    if (isOpen.get(answer)) yield ids.textOf(ref)
  }
}

function endsWithResults({ columns }: Tree, answer: number): boolean {
  let at = answer
  for (let left = columns.childCount(at); left > 0; left = columns.childCount(at)) {
    at = columns.firstChild[at]!
    if (left > 1 || columns.role[at] !== Role.toolResult) return false
  }
  return true
}
