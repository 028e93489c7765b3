import {
  type AgentMessage,
  applyEdit,
  attachedLeaf,
  type Entry,
  Kind,
  type Line,
  type LineOptions,
  linePath,
  type MessageEdit,
  readEdits,
  runStepsAsync,
  type SystemMessage,
  type TreePath,
} from '@treeline/core'
import type { Session } from '@treeline/store'

/** What the line up to a tip is made of, before anything is decided about it. */
export interface Conversation {
  readonly line: Line
  /** What is said, in order, each node with its message as the line has it. System messages are apart. */
  readonly said: readonly { readonly nodeId: string; readonly message: AgentMessage }[]
  readonly systemMessages: readonly SystemMessage[]
  /** The compaction in force. */
  readonly previous: Entry | undefined
  /** Compactions before it and summaries of branches on the way, the latest first; not those a reset has left behind. */
  readonly summaryIds: readonly string[]
}

export async function readConversation(session: Session, tipId: string, options: LineOptions): Promise<Conversation> {
  const { tree } = session
  // At once with the line, so that both see the same tree.
  const path = linePath(tree, attachedLeaf(tree, tree.ids.find(tipId)))
  const line = await session.line({ leafId: tipId, ...options })
  const places = findPlaces(path, line)
  const read = (positions: readonly number[]) => session.readEntries(positions.map((at) => path.idAt(at)))
  const edits = await runStepsAsync(readEdits(path, places[0] ?? path.length), read)
  const entries = await read(places)
  const said: { nodeId: string; message: AgentMessage }[] = []
  const systemMessages: SystemMessage[] = []
  let previous: Entry | undefined
  for (const [i, place] of places.entries()) {
    const entry = entries[i]
    if (entry === undefined) continue
    if (path.kindAt(place) === Kind.compaction) {
      previous = entry
      if (isSystem(entry.systemMessage)) systemMessages.unshift(entry.systemMessage)
      continue
    }
    const nodeId = path.idAt(place)
    const message = applyEdit(messageOf(entry), findEdit(session, nodeId, edits))
    if (isSystem(message)) systemMessages.push(message)
    else if (message !== undefined) said.push({ nodeId, message })
  }
  return { line, said, systemMessages, previous, summaryIds: listSummaries(path) }
}

/** Where the nodes are that the line sends, in the order of the path. Usually near its end. */
function findPlaces(path: TreePath, line: Line): number[] {
  const sent = new Set(line.nodes.filter((node) => node.in).map(({ nodeId }) => nodeId))
  const places: number[] = []
  for (let at = path.length - 1; at >= 0 && places.length < sent.size; at--)
    if (sent.has(path.idAt(at))) places.push(at)
  return places.reverse()
}

function listSummaries(path: TreePath): string[] {
  const ids: string[] = []
  for (let at = path.length - 1; at >= 0 && path.kindAt(at) !== Kind.reset_boundary; at--) {
    if (path.kindAt(at) === Kind.compaction || path.kindAt(at) === Kind.branch_summary) ids.push(path.idAt(at))
  }
  return ids
}

/** A copy is reworded with its original, as in the line. */
function findEdit({ tree }: Session, nodeId: string, edits: ReadonlyMap<string, MessageEdit>): MessageEdit | undefined {
  if (edits.size === 0) return undefined
  const body = tree.edits.copies.get(tree.ids.find(nodeId))?.body
  return edits.get(nodeId) ?? (body === undefined ? undefined : edits.get(tree.ids.textOf(body)))
}

function messageOf(entry: Entry): AgentMessage {
  if (entry.type === 'message') return entry.message as AgentMessage
  const role = entry.type === 'custom_message' ? 'custom' : 'branchSummary'
  const { customType, content, summary, fromId } = entry
  return (role === 'custom' ? { role, customType, content } : { role, summary, fromId }) as AgentMessage
}

function isSystem(message: unknown): message is SystemMessage {
  return typeof message === 'object' && message !== null && (message as { role?: unknown }).role === 'system'
}
