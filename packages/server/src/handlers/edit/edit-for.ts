import { type EditPlan, type EditRequest, newEntryId, ROOT } from '@treeline/core'
import type { Route } from '@treeline/protocol'
import type { Asking } from '../../http/handler.ts'
import type { LiveSession } from '../../hub/live-session.ts'
import { refuseLinear } from './linear-mode.ts'
import { type IndexOf, toRefusal } from './refusal.ts'

export type Asker = Pick<Asking<Route>, 'actor' | 'cause'>

interface EditAsked extends Pick<EditRequest, 'operations'> {
  readonly baseVersion?: number | undefined
  /** The client's own, with what stands for its request. */
  readonly own?: { readonly id: string; readonly asked: string } | undefined
  readonly indexOf?: IndexOf | undefined
}

/** One edit in the name of whoever asks. Its events go back to the request, and a refusal says how things stand. */
export function editFor(live: LiveSession, asker: Asker, asked: EditAsked): Promise<EditPlan> {
  const { operations, baseVersion, own, indexOf } = asked
  const { session } = live
  return commitFor(
    live,
    asker,
    (id) => {
      refuseLinear(session.tree, operations)
      return session.edit({
        operations,
        id,
        by: asker.actor.name,
        ...(own !== undefined && { asked: own.asked }),
        ...(baseVersion !== undefined && { baseVersion }),
      })
    },
    { id: own?.id, indexOf },
  )
}

/** `commit` writes one line under the id it is given, or none. */
export async function commitFor(
  { session, causes }: LiveSession,
  { cause }: Asker,
  commit: (id: string) => Promise<EditPlan>,
  { id: ownId, indexOf }: { readonly id?: string | undefined; readonly indexOf?: IndexOf | undefined } = {},
): Promise<EditPlan> {
  const id = ownId ?? newEntryId((taken) => session.tree.ids.find(taken) > ROOT)
  causes.note([id], { ...cause, opId: id })
  try {
    const plan = await commit(id)
    if (plan.entry === undefined) causes.take(id)
    return plan
  } catch (error) {
    causes.take(id)
    throw toRefusal(session, error, indexOf)
  }
}
