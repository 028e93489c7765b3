import type { Routes } from '@treeline/protocol'
import type { Handler } from '../../http/handler.ts'
import { inTurn } from './in-turn.ts'
import { goesAlong, placeOfMessage } from './place.ts'
import { readContent } from './read-content.ts'
import { readSpecs } from './read-specs.ts'
import { send } from './send.ts'

/**
 * Says something and has it answered, by as many as asked for. A system message says how to answer: it is answered only
 * when that is asked for.
 */
export const postMessage: Handler<Routes['postMessage']> = (services, { params, query, body, actor, cause }) =>
  services.hub.use(params.sessionId, (live) =>
    inTurn(live, body.nodeId, async () => {
      const { session } = live
      const { role = 'user', nodeId, generate = role === 'user' ? undefined : false, baseVersion, metadata } = body
      const content = await readContent(session, body.content, services.limits)
      const wanted = await readSpecs(services.agent, session, generate)
      const place = placeOfMessage(session, body.parentId, nodeId)
      const sent = await send(
        services,
        live,
        { actor, cause },
        {
          ...{ place, nodeId, wanted, baseVersion },
          message: { role, content, timestamp: Date.now() },
          ...(metadata !== undefined && { fields: { ext: metadata.ext } }),
          said: { role, content },
          isActivated: goesAlong(session, place, body.activate),
          mayWait: query.queue === true,
        },
      )
      const location = `/api/chat/${session.id}/node/${sent.body.node.id}`
      return { ...sent, version: sent.body.version, headers: { location } }
    }),
  )
