import type { Routes } from '@treeline/protocol'
import type { Handler } from '../../http/handler.ts'
import { readEditOps } from '../../wire/read-edit-op.ts'
import { toNode } from '../../wire/to-node.ts'
import { withBodies } from '../../wire/with-bodies.ts'
import { editFor } from './edit-for.ts'

/** Rates or labels a node. */
export const patchMetadata: Handler<Routes['patchMetadata']> = ({ hub }, { params, body: patch, actor, cause }) =>
  hub.use(params.sessionId, async (live) => {
    const { nodeId } = params
    const { session } = live
    const { operations } = readEditOps(session.tree, [{ op: 'setMetadata', nodeId, patch }])
    await editFor(live, { actor, cause }, { operations })
    const { body, version } = await withBodies(
      session,
      () => [nodeId],
      (tree, bodyOf) => ({ body: toNode(tree, tree.ids.find(nodeId), bodyOf(nodeId)), version: session.seq }),
    )
    return { status: 200, version, body }
  })
