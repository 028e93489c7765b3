import type { Routes } from '@treeline/protocol'
import type { Handler } from '../../http/handler.ts'
import { readEditOps } from '../../wire/read-edit-op.ts'
import { toNode } from '../../wire/to-node.ts'
import { withBodies } from '../../wire/with-bodies.ts'
import { refOfNode } from '../tree/find-node.ts'
import { changingOps } from './changing-ops.ts'
import { editFor } from './edit-for.ts'

/** Rates or labels a node. What is so already changes nothing. */
export const patchMetadata: Handler<Routes['patchMetadata']> = ({ hub }, { params, body: patch, actor, cause }) =>
  hub.use(params.sessionId, async (live) => {
    const { nodeId } = params
    const { session } = live
    const { operations } = readEditOps(session.tree, [{ op: 'setMetadata', nodeId, patch }])
    refOfNode(session.tree, nodeId)
    const changing = changingOps(session.tree, operations)
    if (changing.length > 0) await editFor(live, { actor, cause }, { operations: changing })
    const { body, version } = await withBodies(
      session,
      () => [nodeId],
      (tree, bodyOf) => ({ body: toNode(tree, tree.ids.find(nodeId), bodyOf(nodeId)), version: session.seq }),
    )
    return { status: 200, version, body }
  })
