import type { Tree } from '@treeline/core'
import type { Limits, Routes } from '@treeline/protocol'
import { type Handler, isKnown } from '../../http/handler.ts'
import { cutNode } from '../../wire/cut-node.ts'
import { toNode } from '../../wire/to-node.ts'
import { toSkeleton } from '../../wire/to-skeleton.ts'
import { withBodies } from '../../wire/with-bodies.ts'
import { findLiving, refOfNode } from './find-node.ts'
import { bytesInFull, NODE_BYTES } from './node-bytes.ts'

/** What a character takes in JSON at most: an escape. */
const BYTES_PER_CHAR = 6

export const getNode: Handler<Routes['getNode']> = ({ hub }, asking) =>
  hub.use(asking.params.sessionId, async (live) => {
    const { session } = live
    const { nodeId } = asking.params
    refOfNode(session.tree, nodeId)
    if (isKnown(asking, live)) return { status: 304, version: session.seq }
    return withBodies(
      session,
      () => [nodeId],
      (tree, bodyOf) => {
        const body = toNode(tree, refOfNode(tree, nodeId), bodyOf(nodeId))
        return { status: 200, version: session.seq, body }
      },
    )
  })

/** Those that are there, in the order asked for. Where they are too long for one answer, each says less. */
export const getNodes: Handler<Routes['getNodes']> = ({ hub, limits }, asking) =>
  hub.use(asking.params.sessionId, async (live) => {
    const { session } = live
    const { query } = asking
    if (isKnown(asking, live)) return { status: 304, version: session.seq }
    const ids = [...new Set(query.ids)]
    return withBodies(
      session,
      (tree) => ids.filter((id) => findLiving(tree, id) !== undefined),
      (tree, bodyOf) => {
        const refs = ids.flatMap((id) => findLiving(tree, id) ?? [])
        const share = shareOf(tree, refs, limits)
        const nodes = refs.map((ref) => {
          const body = bodyOf(tree.ids.textOf(ref))
          return query.view === 'full' ? cutNode(toNode(tree, ref, body), share) : toSkeleton(tree, ref, body)
        })
        const version = session.seq
        return { status: 200, version, body: { version, nodes } }
      },
    )
  })

/** How much each may say so that all of them fit into one answer. */
function shareOf(tree: Tree, refs: readonly number[], { treeBytes, contentChars }: Limits): number {
  const bytes = refs.reduce((sum, ref) => sum + bytesInFull(tree, ref), 0)
  if (bytes <= treeBytes) return contentChars
  return Math.max(0, Math.floor((treeBytes / refs.length - NODE_BYTES) / BYTES_PER_CHAR))
}
