import { TreelineError } from '@treeline/core'
import type { Routes } from '@treeline/protocol'
import { mayDo } from '../../guard/actor.ts'
import type { Handler } from '../../http/handler.ts'
import type { Services } from '../../services.ts'

/** To the trash, from where it can be brought back; for good only for those who may (R1). */
export const deleteSession: Handler<Routes['deleteSession']> = async (services, { params, query, actor }) => {
  const { hub, generations, house, list, log } = services
  const { sessionId } = params
  const isPurge = query.purge === true
  if (isPurge && !mayDo(actor, 'admin')) {
    throw new TreelineError('forbidden', `${actor.name} has the scope ${actor.scope}; to purge needs admin.`)
  }
  await refuseOthers(services, sessionId, isPurge)
  await generations.stop(sessionId)
  const takeAway = isPurge ? house.purge : house.trash
  await hub.evict(sessionId, () => takeAway(sessionId, actor.name))
  list.note(sessionId)
  log({ level: 'info', message: isPurge ? 'session purged' : 'session trashed', sessionId, by: actor.name })
  return { status: 204 }
}

/** Before anybody is told that it goes. What is in the trash already is nobody's but ours. */
async function refuseOthers({ hub, store }: Services, sessionId: string, isPurge: boolean): Promise<void> {
  if (!(await store.exists(sessionId))) {
    if (isPurge) return
    await hub.use(sessionId, async () => {
      const message = `The session ${sessionId} belongs to another tool, and its files are not moved. Remove it there.`
      throw new TreelineError('forbidden', message)
    })
  }
  await hub.use(sessionId, async ({ session: { tree } }) => {
    const { session } = tree.edits
    const isStarred = session.get('starred') === true || session.get('pinned') === true
    if (isStarred && !isPurge) {
      const message = `The session ${sessionId} is starred and stays. PATCH it with {"starred":false} first.`
      throw new TreelineError('forbidden', message)
    }
  })
}
