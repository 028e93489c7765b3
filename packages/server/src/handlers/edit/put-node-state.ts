import { Flag, newEntryId, ROOT } from '@treeline/core'
import type { Routes } from '@treeline/protocol'
import type { Handler } from '../../http/handler.ts'

/** Mutes a node, or not. Where that changes nothing there is no line and no event. */
export const putNodeState: Handler<Routes['putNodeState']> = ({ hub }, { params, body, actor, cause }) =>
  hub.use(params.sessionId, async ({ session, causes }) => {
    const { isEnabled, baseVersion } = body
    const { nodeId } = params
    const id = newEntryId((taken) => session.tree.ids.find(taken) > ROOT)
    causes.note([id], { ...cause, opId: id })
    await session.edit({
      operations: [{ op: isEnabled ? 'unmute' : 'mute', nodeIds: [nodeId] }],
      id,
      by: actor.name,
      ...(baseVersion !== undefined && { baseVersion }),
    })
    const { tree, seq: version } = session
    const isEnabledNow = !tree.columns.has(tree.ids.find(nodeId), Flag.muted)
    return { status: 200, version, body: { id: nodeId, isEnabled: isEnabledNow, version } }
  })
