import type { ContextPreview } from '@treeline/protocol'

export type LineMessage = ContextPreview['messages'][number]
export type OutReason = ContextPreview['excluded'][number]['reason']

/** What would be done with nodes, and is not yet: muted, or sent again. */
export type Changes = ReadonlyMap<string, 'mute' | 'unmute'>

/** A node that is not sent. */
export interface OutNode {
  readonly nodeId: string
  readonly reason: OutReason
  readonly isChanged: boolean
}

/** One row of the panel: a message as the model gets it, or a node that stays out. */
export type LineRow =
  | {
      readonly kind: 'message'
      readonly key: string
      readonly message: LineMessage
      readonly nodeIds: readonly string[]
      /** It is sent only if the changes are applied. */
      readonly isChanged: boolean
      /** The nodes that it stands for. */
      readonly covers: readonly OutNode[]
    }
  | ({ readonly kind: 'out'; readonly key: string } & OutNode)

export interface LineFacts {
  /** The ids of the path, from its top down. */
  readonly path: readonly string[]
  readonly changes: Changes
  /** Of a node that sums up others, which ones; `all` for a compaction, which covers what is before it. */
  readonly coversOf: (nodeId: string) => readonly string[] | 'all' | undefined
}

/**
 * The line in the order in which it is sent, with what stays out where it would have stood. What a summary stands for is kept
 * with the summary.
 */
export function lineRows({ messages, excluded }: ContextPreview, { path, changes, coversOf }: LineFacts): LineRow[] {
  const placeOf = new Map(path.map((id, place) => [id, place]))
  const left = new Map(
    excluded.map(({ nodeId, reason }) => [nodeId, { nodeId, reason, isChanged: changes.get(nodeId) === 'mute' }]),
  )
  const covered = messages.map(({ nodeId }) => takeCovered(left, nodeId === null ? undefined : coversOf(nodeId)))
  const outside = [...left.values()].sort((a, b) => place(placeOf, a.nodeId) - place(placeOf, b.nodeId))
  const rows: LineRow[] = []
  let next = 0
  for (const [at, message] of messages.entries()) {
    const nodeIds = message.nodeIds ?? (message.nodeId === null ? [] : [message.nodeId])
    const covers = covered[at]!
    // A compaction leads, wherever it hangs: what is left out beside it comes later.
    const isLead = nodeIds[0] !== undefined && coversOf(nodeIds[0]) === 'all'
    const here = nodeIds[0] === undefined || isLead ? -1 : place(placeOf, nodeIds[0])
    while (next < outside.length && place(placeOf, outside[next]!.nodeId) < here) rows.push(outRow(outside[next++]!))
    const isChanged = nodeIds.some((id) => changes.get(id) === 'unmute')
    rows.push({ kind: 'message', key: nodeIds[0] ?? `message ${at}`, message, nodeIds, isChanged, covers })
  }
  while (next < outside.length) rows.push(outRow(outside[next++]!))
  return rows
}

function takeCovered(left: Map<string, OutNode>, covers: readonly string[] | 'all' | undefined): readonly OutNode[] {
  if (covers === undefined) return []
  const taken =
    covers === 'all'
      ? [...left.values()].filter(({ reason }) => reason === 'summarized')
      : covers.flatMap((id) => left.get(id) ?? [])
  for (const { nodeId } of taken) left.delete(nodeId)
  return taken
}

function outRow(node: OutNode): LineRow {
  return { kind: 'out', key: node.nodeId, ...node }
}

function place(places: ReadonlyMap<string, number>, id: string): number {
  return places.get(id) ?? Number.MAX_SAFE_INTEGER
}

export interface RoleShare {
  readonly role: LineMessage['role']
  readonly tokens: number
}

/** How much of the line each role takes, in the order of roles that there are. */
export function sharesByRole(messages: readonly LineMessage[]): readonly RoleShare[] {
  const byRole = new Map<LineMessage['role'], number>()
  for (const { role, tokens = 0 } of messages) byRole.set(role, (byRole.get(role) ?? 0) + tokens)
  const order: readonly LineMessage['role'][] = ['system', 'user', 'assistant', 'tool']
  return order.flatMap((role) => (byRole.has(role) ? [{ role, tokens: byRole.get(role)! }] : []))
}
