import type { ChatMessageNode } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import { listNodes } from '../list-nodes.ts'
import { fragmentRoots, toFragments } from '../to-fragment.ts'
import { toNode } from '../to-node.ts'
import { activeLeafOf, toTreeHead } from '../tree-head.ts'
import { withBodies } from '../with-bodies.ts'

export interface Observed {
  readonly nodes: Readonly<Record<string, ChatMessageNode>>
  readonly roots: readonly string[]
  readonly fragments: readonly (readonly [string, string | null, number])[]
  readonly activeLeafId: string | null
}

/** A session as a client would see it. */
export function observe(session: Session): Promise<Observed> {
  return withBodies(
    session,
    (tree) => [...[...listNodes(tree)].map((ref) => tree.ids.textOf(ref)), ...fragmentRoots(tree)],
    (tree, bodyOf) => {
      const nodes = [...listNodes(tree)].map((ref) => toNode(tree, ref, bodyOf(tree.ids.textOf(ref))))
      const fragments = toFragments(tree, bodyOf)
      return {
        nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
        roots: toTreeHead(session, { fragments, nextCursor: null }).rootNodeIds,
        fragments: fragments.map((one) => [one.fragmentId, one.fromParentId, one.fromIndex] as const),
        activeLeafId: activeLeafOf(session),
      }
    },
  )
}

/** What an edit and its inverse leave the same. */
export function shapeOf({ nodes, roots, activeLeafId }: Observed): unknown {
  const shown = Object.values(nodes).map(({ id, parentId, childrenIds, isEnabled, metadata }) => [
    id,
    { parentId, childrenIds, isEnabled, metadata },
  ])
  return { nodes: Object.fromEntries(shown), roots, activeLeafId }
}
