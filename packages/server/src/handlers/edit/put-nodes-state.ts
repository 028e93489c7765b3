import { type EditPlan, type EditRequestOp, type Tree, TreelineError } from '@treeline/core'
import type { BatchState, BatchStateRequest, Routes } from '@treeline/protocol'
import type { Handler } from '../../http/handler.ts'
import type { LiveSession } from '../../hub/live-session.ts'
import { findNode } from '../../wire/event-nodes.ts'
import { type Asker, editFor } from './edit-for.ts'

type Wanted = ReadonlyMap<string, boolean>
type Failed = BatchState['failed']

/** Mutes nodes, or not, in one line: all of them, or with `atomic: false` those that can be. */
export const putNodesState: Handler<Routes['putNodesState']> = ({ hub, limits }, { params, body, actor, cause }) =>
  hub.use(params.sessionId, async (live) => {
    const wanted = readWanted(body, limits.nodesPerBatch)
    const { changedIds, failed } =
      body.atomic === false
        ? await setWhatCanBe(live, { actor, cause }, wanted, body.baseVersion)
        : { ...(await set(live, { actor, cause }, wanted, body.baseVersion)), failed: [] }
    const { seq: version } = live.session
    const changed = new Set(changedIds)
    const missed = new Set(failed.map(({ id }) => id))
    const updated = [...wanted].filter(([id]) => changed.has(id)).map(([id, isEnabled]) => ({ id, isEnabled, version }))
    const unchanged = [...wanted.keys()].filter((id) => !changed.has(id) && !missed.has(id))
    return { status: 200, version, body: { version, updated, unchanged, failed } }
  })

function readWanted({ nodes }: BatchStateRequest, max: number): Wanted {
  if (nodes.length > max) throw new TreelineError('validation_failed', `At most ${max} nodes can be set at once.`)
  const wanted = new Map<string, boolean>()
  for (const { id, isEnabled } of nodes) {
    if (wanted.has(id) && wanted.get(id) !== isEnabled) {
      throw new TreelineError('validation_failed', `Node ${id} is to be enabled and disabled. Say one of them.`)
    }
    wanted.set(id, isEnabled)
  }
  return wanted
}

function set(
  live: LiveSession,
  asker: Asker,
  wanted: Wanted,
  baseVersion: number | undefined,
): Promise<Pick<EditPlan, 'changedIds'>> {
  const operations = (['mute', 'unmute'] as const).flatMap((op): EditRequestOp[] => {
    const nodeIds = [...wanted].filter(([, isEnabled]) => isEnabled === (op === 'unmute')).map(([id]) => id)
    return nodeIds.length === 0 ? [] : [{ op, nodeIds }]
  })
  return editFor(live, asker, { operations, baseVersion })
}

/** Leaves out what is not there; what others delete or change meanwhile is left out at the next try. */
async function setWhatCanBe(
  live: LiveSession,
  asker: Asker,
  wanted: Wanted,
  baseVersion: number | undefined,
): Promise<{ readonly changedIds: readonly string[]; readonly failed: Failed }> {
  const stale = new Set<string>()
  for (;;) {
    const missing = findMissing(live.session.tree, wanted)
    const failed = [...wanted.keys()].flatMap((id): Failed => {
      if (missing.has(id)) return [{ id, code: 'node_not_found' }]
      return stale.has(id) ? [{ id, code: 'stale_node' }] : []
    })
    const left = new Map([...wanted].filter(([id]) => !missing.has(id) && !stale.has(id)))
    if (left.size === 0) return { changedIds: [], failed }
    try {
      return { ...(await set(live, asker, left, baseVersion)), failed }
    } catch (error) {
      if (!(error instanceof TreelineError)) throw error
      const { code, details } = error
      const refused = (details.nodeIds ?? []).filter((id) => left.has(id))
      if (refused.length === 0 || (code !== 'stale_node' && code !== 'node_not_found')) throw error
      // What is gone is seen in the tree, which has caught up by now.
      if (code === 'stale_node') for (const id of refused) stale.add(id)
    }
  }
}

/** Those that are no nodes, or deleted. Walks over what is deleted once, however many are asked for. */
function findMissing(tree: Tree, wanted: Wanted): ReadonlySet<string> {
  const deleted = new Set<number>()
  for (const top of tree.edits.deleted.keys()) for (const ref of tree.columns.subtree(top)) deleted.add(ref)
  return new Set(
    [...wanted.keys()].filter((id) => {
      const ref = findNode(tree, id)
      return ref === undefined || deleted.has(ref)
    }),
  )
}
