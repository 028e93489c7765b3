import type { Routes } from '@treeline/protocol'
import type { Handler } from '../../http/handler.ts'
import { editFor } from '../edit/edit-for.ts'
import { refuseUnasked } from '../refuse-unasked.ts'
import { changing } from './session-edit.ts'

export const getConfig: Handler<Routes['getConfig']> = ({ hub }, asking) =>
  hub.use(asking.params.sessionId, async ({ session }) => {
    await session.refresh()
    return { status: 200, version: session.seq, body: session.config }
  })

/** Keys that are not named stay as they are; `null` takes one away (N23). */
export const putConfig: Handler<Routes['putConfig']> = ({ hub }, asking) => {
  const { params, body } = asking
  const wanted = [{ op: 'config', patch: body } as const]
  refuseUnasked(wanted)
  return hub.use(params.sessionId, async (live) => {
    const { session } = live
    const operations = changing(session, wanted)
    if (operations.length > 0) await editFor(live, asking, { operations })
    return { status: 200, version: session.seq, body: session.config }
  })
}
