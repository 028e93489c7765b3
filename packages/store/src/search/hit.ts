import { NodeFlag } from '../session-index/schema.ts'
import type { IndexedFile } from './candidates.ts'
import type { NodeDescription } from './describe-node.ts'
import { matchText } from './match-text.ts'
import type { Position } from './order.ts'
import type { Query } from './query.ts'
import type { SearchHit } from './search-types.ts'
import { makeSnippet } from './snippet.ts'

const MAX_DATE_MS = 8.64e15

/** A hit, and where it stands among all others. */
export interface FoundHit {
  readonly position: Position
  readonly hit: SearchHit
}

/** What a hit is made of besides what the node says. */
export interface HitNode {
  readonly id: string
  readonly in: IndexedFile
  readonly flags: number
  readonly position: Position
}

/** `undefined` when what the node says is not what the query means. */
export function hitOf(node: HitNode, description: NodeDescription, { terms, excluded }: Query): FoundHit | undefined {
  const first = matchText(description.text, terms, excluded)
  if (first === undefined) return undefined
  const { path, source, sessionId, name, cwd } = node.in
  const { role, tools, isError } = description
  const has = (flag: number) => (node.flags & flag) !== 0
  const hit = {
    sessionId,
    sessionName: name,
    path,
    source,
    cwd,
    nodeId: node.id,
    role,
    tools,
    isError,
    isMuted: has(NodeFlag.muted),
    isPruned: has(NodeFlag.pruned) || has(NodeFlag.deleted),
    isDeleted: has(NodeFlag.deleted),
    time: timeText(node.position.time),
    snippet: makeSnippet(description.text, first, terms),
  }
  return { hit, position: node.position }
}

/** 0 stands for a time that nothing in the log tells. */
function timeText(time: number): string | undefined {
  return time !== 0 && Math.abs(time) <= MAX_DATE_MS ? new Date(time).toISOString() : undefined
}
