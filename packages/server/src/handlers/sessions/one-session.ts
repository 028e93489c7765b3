import type { Routes } from '@treeline/protocol'
import { type Handler, isKnown } from '../../http/handler.ts'
import { editFor } from '../edit/edit-for.ts'
import { changing, sessionOperations } from './session-edit.ts'
import { summarise } from './summary.ts'

export const getSession: Handler<Routes['getSession']> = (services, asking) => {
  const { sessionId } = asking.params
  return services.hub.use(sessionId, async (live) => {
    await live.session.refresh()
    if (isKnown(asking, live)) return { status: 304, version: live.session.seq }
    const body = await summarise(services, live.session)
    return { status: 200, version: body.version, body }
  })
}

/** One edit and one event, however much is changed; nothing at all where it is so already. */
export const patchSession: Handler<Routes['patchSession']> = (services, asking) => {
  const { sessionId } = asking.params
  return services.hub.use(sessionId, async (live) => {
    const operations = changing(live.session, sessionOperations(asking.body))
    if (operations.length > 0) await editFor(live, asking, { operations })
    const body = await summarise(services, live.session)
    return { status: 200, version: body.version, body }
  })
}
