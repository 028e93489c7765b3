import { TreelineError } from '@treeline/core'
import type { Routes } from '@treeline/protocol'
import type { Handler } from '../../http/handler.ts'
import { summarise } from './summary.ts'

const PAGE = 50

export const listTrash: Handler<Routes['listTrash']> = async ({ house }, { query }) => {
  const { limit = PAGE, cursor } = query
  const { items, next } = await house.listTrash({ limit, after: cursor })
  return { status: 200, body: { items: [...items], nextCursor: next ?? null } }
}

/** To where it was. One that is back already stays so: a retry is no error (D3). */
export const restoreSession: Handler<Routes['restoreSession']> = async (services, { params, body, actor }) => {
  const { hub, house, list, log, store } = services
  const { sessionId } = params
  try {
    await house.restore(sessionId, actor.name, body.trashId)
    list.note(sessionId)
    log({ level: 'info', message: 'session restored', sessionId, by: actor.name })
  } catch (error) {
    const isMissing = error instanceof TreelineError && error.code === 'session_not_found'
    if (!isMissing || !(await store.exists(sessionId))) throw error
  }
  return hub.use(sessionId, async ({ session }) => {
    const summary = await summarise(services, session)
    return { status: 200, version: summary.version, body: summary }
  })
}
