import { descend, Flag, ROOT, type Tree } from '@treeline/core'
import type { ChatHistoryTree, Fragment } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import { generationIdOf } from './node-metadata.ts'
import { createdMs, timeAtRow } from './node-time.ts'
import { idOrNull } from './to-node.ts'

export type TreeHead = Omit<ChatHistoryTree, 'nodes'>

export interface TreeHeadParts {
  /** Empty where they were not asked for. */
  readonly fragments: Fragment[]
  readonly nextCursor: string | null
}

/** A session as it is seen: itself, or as it was after some event. */
export type Seen = Pick<Session, 'id' | 'header' | 'tree' | 'seq' | 'epoch' | 'name' | 'leafId' | 'readEntries'>

/** What every view of a tree begins with. Looks at each node once and reads no body. */
export function toTreeHead(session: Seen, { fragments, nextCursor }: TreeHeadParts): TreeHead {
  const { tree, header } = session
  const rootNodeIds = tree.columns.children(ROOT).map((ref) => tree.ids.textOf(ref))
  const createdAt = startOf(header.timestamp)
  return {
    sessionId: session.id,
    version: session.seq,
    epoch: session.epoch,
    title: session.name ?? '',
    mode: modeOf(tree),
    rootNodeIds,
    rootNodeId: rootNodeIds[0] ?? null,
    activeLeafId: activeLeafOf(session),
    createdAt,
    updatedAt: tree.rowCount === 0 ? createdAt : timeAtRow(tree, tree.rowCount - 1),
    fragments,
    generating: generatingIn(tree),
    nextCursor,
  }
}

export function modeOf({ edits }: Tree): TreeHead['mode'] {
  return edits.session.get('mode') === 'linear' ? 'linear' : 'tree'
}

/** The node where the session goes on: below it may stand a change of the model, which is no node. */
export function activeLeafOf({ tree, leafId }: Pick<Seen, 'tree' | 'leafId'>): string | null {
  return leafId === null ? null : idOrNull(tree, tree.columns.ownerOf(tree.ids.find(leafId)))
}

/** Where the conversation ends for who reads it: in linear mode with its newest message, whatever was chosen (T36, X50). */
export function endOf(seen: Pick<Seen, 'tree' | 'leafId'>): string | null {
  const { tree } = seen
  if (modeOf(tree) === 'tree') return activeLeafOf(seen)
  for (let row = tree.rowCount - 1; row >= 0; row--) {
    const ref = tree.refAtRow(row)
    const node = tree.generationNode(ref) ?? ref
    if (tree.columns.has(node, Flag.node) && tree.columns.isAttached(node)) return idOrNull(tree, descend(tree, node))
  }
  return null
}

/** Answers still being generated, in the tree and in the stash. */
export function generatingIn(tree: Tree): TreeHead['generating'] {
  const { columns, ids } = tree
  const generating: TreeHead['generating'] = []
  for (let ref = 1; ref < ids.count; ref++) {
    if (!columns.has(ref, Flag.generating) || columns.has(columns.topOf(ref), Flag.deleted)) continue
    const nodeId = ids.textOf(ref)
    const startedAt = new Date(createdMs(tree, ref)).toISOString()
    generating.push({ nodeId, generationId: generationIdOf(tree, ref) ?? nodeId, startedAt })
  }
  return generating
}

export function startOf(timestamp: string): string {
  const ms = Date.parse(timestamp)
  return new Date(Number.isNaN(ms) ? 0 : ms).toISOString()
}
