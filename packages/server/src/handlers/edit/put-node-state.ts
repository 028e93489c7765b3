import { Flag } from '@treeline/core'
import type { Routes } from '@treeline/protocol'
import type { Handler } from '../../http/handler.ts'
import { editFor } from './edit-for.ts'

/** Mutes a node, or not. Where that changes nothing there is no line and no event. */
export const putNodeState: Handler<Routes['putNodeState']> = ({ hub }, { params, body, actor, cause }) =>
  hub.use(params.sessionId, async (live) => {
    const { isEnabled, baseVersion } = body
    const { nodeId } = params
    const operations = [{ op: isEnabled ? 'unmute' : 'mute', nodeIds: [nodeId] }] as const
    await editFor(live, { actor, cause }, { operations, baseVersion })
    const { tree, seq: version } = live.session
    const isEnabledNow = !tree.columns.has(tree.ids.find(nodeId), Flag.muted)
    return { status: 200, version, body: { id: nodeId, isEnabled: isEnabledNow, version } }
  })
