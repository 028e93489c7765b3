import { Flag, ROOT, Role } from '@treeline/core'
import type { Routes } from '@treeline/protocol'
import type { Handler } from '../../http/handler.ts'
import { activeLeafOf } from '../../wire/tree-head.ts'
import { refOfNode } from '../tree/find-node.ts'
import { inTurn } from './in-turn.ts'
import { goesAlong, placeUnder, takesOver } from './place.ts'
import { readSpecs } from './read-specs.ts'
import { refuseRequest } from './refuse-request.ts'
import { label } from './send.ts'
import { isAnswerTo } from './sent-before.ts'
import { readStarted } from './started-nodes.ts'

/** Has a node answered. Of an answer it means: once more, beside it. */
export const generate: Handler<Routes['generate']> = (services, { params, query, body, actor, cause }) =>
  services.hub.use(params.sessionId, (live) =>
    inTurn(live, body.specs?.find(({ nodeId }) => nodeId !== undefined)?.nodeId, async () => {
      const { session } = live
      const { tree } = session
      const { activate, baseVersion } = body
      const asked = refOfNode(tree, params.nodeId)
      const isAnswer = tree.columns.role[asked] === Role.assistant || tree.columns.has(asked, Flag.generating)
      const parent = isAnswer ? tree.columns.parent[asked]! : asked
      const place = placeUnder(session, parent > ROOT ? tree.ids.textOf(parent) : null)
      const wanted = await readSpecs(services.agent, session, body.specs)
      const isKnown = ({ nodeId, isOwn }: (typeof wanted)[number]) =>
        isOwn && tree.ids.find(nodeId) > ROOT && isAnswerTo(tree, nodeId, Math.max(ROOT, parent))
      const missing = wanted.filter((one) => !isKnown(one))
      if (missing.length > 0) {
        await refuseRequest(services.agent, session, place.entryId, missing)
        const isActivated = isAnswer ? takesOver(session, params.nodeId, activate) : goesAlong(session, place, activate)
        live.causes.note(
          missing.map(({ nodeId }) => nodeId),
          cause,
        )
        const request = { parentId: place.entryId, specs: missing, activate: isActivated, baseVersion }
        await services.generations.start(live, { ...request, mayWait: query.queue === true })
        await label(live, actor, missing)
      }
      const generations = await readStarted(
        session,
        wanted.map(({ nodeId }) => nodeId),
      )
      const version = session.seq
      return { status: 202, version, body: { version, generations, activeLeafId: activeLeafOf(session) } }
    }),
  )
