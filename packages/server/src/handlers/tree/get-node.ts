import type { Routes } from '@treeline/protocol'
import { type Handler, isKnown } from '../../http/handler.ts'
import { toNode } from '../../wire/to-node.ts'
import { toSkeleton } from '../../wire/to-skeleton.ts'
import { withBodies } from '../../wire/with-bodies.ts'
import { findLiving, refOfNode } from './find-node.ts'

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

/** Those that are there, in the order asked for. */
export const getNodes: Handler<Routes['getNodes']> = ({ hub }, asking) =>
  hub.use(asking.params.sessionId, async (live) => {
    const { session } = live
    const { query } = asking
    if (isKnown(asking, live)) return { status: 304, version: session.seq }
    const ids = [...new Set(query.ids)]
    const show = query.view === 'full' ? toNode : toSkeleton
    return withBodies(
      session,
      (tree) => ids.filter((id) => findLiving(tree, id) !== undefined),
      (tree, bodyOf) => {
        const nodes = ids.flatMap((id) => {
          const ref = findLiving(tree, id)
          return ref === undefined ? [] : [show(tree, ref, bodyOf(id))]
        })
        const version = session.seq
        return { status: 200, version, body: { version, nodes } }
      },
    )
  })
