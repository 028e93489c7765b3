import { Flag, ROOT, type Tree } from '@treeline/core'
import type { ChatMessageNode } from '@treeline/protocol'
import { cutNode } from './cut-node.ts'
import { toNode } from './to-node.ts'
import type { BodyOf } from './with-bodies.ts'

/** One event names so many nodes at most; the others are known by `childrenIds` and can be asked for. */
const MAX_NODES = 1_000
/** And says so much of what is in them. */
const MAX_CHARS = 262_144

/** Nodes as they are now, for an event that changed them. Those that are no more are left out. */
export function toEventNodes(tree: Tree, ids: Iterable<string | null | undefined>, bodyOf: BodyOf): ChatMessageNode[] {
  const refs = [...new Set(ids)].flatMap((id) => findNode(tree, id) ?? []).slice(0, MAX_NODES)
  const share = Math.floor(MAX_CHARS / Math.max(1, refs.length))
  return refs.map((ref) => cutNode(toNode(tree, ref, bodyOf(tree.ids.textOf(ref))), share))
}

/** The ids of a node and of what hangs under it, no more than an event names. */
export function* subtreeIds(tree: Tree, id: string): Generator<string> {
  const top = findNode(tree, id)
  if (top === undefined) return
  let left = MAX_NODES
  for (const ref of tree.columns.subtree(top)) {
    if (left-- === 0) return
    yield tree.ids.textOf(ref)
  }
}

export function findNode({ columns, ids }: Tree, id: string | null | undefined): number | undefined {
  const ref = typeof id === 'string' ? ids.find(id) : ROOT
  return ref > ROOT && columns.has(ref, Flag.node) ? ref : undefined
}
