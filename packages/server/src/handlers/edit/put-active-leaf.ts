import { descend, newEntryId, ROOT, TreelineError } from '@treeline/core'
import type { Routes } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import type { Handler } from '../../http/handler.ts'
import { findNode } from '../../wire/event-nodes.ts'
import { activeLeafOf } from '../../wire/tree-head.ts'
import { refuseLinear } from './linear-mode.ts'
import { toRefusal } from './refusal.ts'

/**
 * Chooses where the conversation goes on, with notes on the branch that is left when asked for: then the answer comes
 * when they are written, and whoever goes away before leaves everything as it is. `baseVersion` refuses nothing here: what
 * is chosen has no footprint.
 */
export const putActiveLeaf: Handler<Routes['putActiveLeaf']> = ({ hub, agent, closing }, asking) =>
  hub.use(asking.params.sessionId, async ({ session, causes }) => {
    const { body, actor, cause, signal } = asking
    const { summarize } = body
    const previous = activeLeafOf(session)
    const id = newEntryId((taken) => session.tree.ids.find(taken) > ROOT)
    causes.note([id], { ...cause, opId: id })
    try {
      refuseLinear(session.tree, [{ op: 'leaf' }])
      const { isCancelled } = await agent.leaveBranch(session, {
        toId: resolveLeaf(session, body),
        by: actor.name,
        id,
        ...(summarize !== undefined && { summarise: true, instructions: summarize.instructions }),
        signal: AbortSignal.any([signal, closing]),
      })
      if (isCancelled !== undefined) throw new TreelineError('forbidden', `The leaf stays where it is: ${isCancelled}`)
    } catch (error) {
      causes.take(id)
      throw toRefusal(session, error)
    }
    const { seq: version } = session
    return { status: 200, version, body: { activeLeafId: activeLeafOf(session), previous, version } }
  })

/** One that is not there, or may not be gone to, is refused by whoever goes there. */
function resolveLeaf(
  { tree }: Session,
  { leafId, resolve }: { readonly leafId: string | null; readonly resolve?: 'exact' | 'descend' | undefined },
): string | null {
  const ref = resolve === 'descend' ? findNode(tree, leafId) : undefined
  return ref === undefined ? leafId : tree.ids.textOf(descend(tree, ref))
}
