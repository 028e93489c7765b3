import { Flag, ROOT, Role, TreelineError } from '@treeline/core'
import type { Routes } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import type { Handler } from '../../http/handler.ts'
import { objectOr } from '../../wire/json.ts'
import { refOfNode } from '../tree/find-node.ts'
import { inTurn } from './in-turn.ts'
import { placeUnder, takesOver } from './place.ts'
import { type Content, readContent } from './read-content.ts'
import { readSpecs } from './read-specs.ts'
import { send } from './send.ts'

type EditedRole = 'user' | 'system' | 'assistant'

const ROLES: ReadonlyMap<number, EditedRole> = new Map<number, EditedRole>([
  [Role.user, 'user'],
  [Role.system, 'system'],
  [Role.assistant, 'assistant'],
])

/**
 * Says it differently: a new node beside the one there is, which stays as it is. A question is answered anew; an answer
 * that somebody puts into other words is not.
 */
export const editNode: Handler<Routes['editNode']> = (services, { params, query, body, actor, cause }) =>
  services.hub.use(params.sessionId, (live) =>
    inTurn(live, body.nodeId, async () => {
      const { session } = live
      const { nodeId, baseVersion } = body
      const original = params.nodeId
      const role = roleOf(session, original)
      if (role === 'assistant' && body.generate !== undefined && body.generate !== false) {
        throw new TreelineError('validation_failed', 'An answer in other words is not answered. Leave "generate" out.')
      }
      const content = await readContent(session, body.content, services.limits)
      const generate = body.generate ?? (role === 'user' ? undefined : false)
      const wanted = await readSpecs(services.agent, session, generate)
      const parent = session.tree.columns.parent[session.tree.ids.find(original)]!
      const place = placeUnder(session, parent > ROOT ? session.tree.ids.textOf(parent) : null)
      const sent = await send(
        services,
        live,
        { actor, cause },
        {
          ...{ place, nodeId, wanted, baseVersion },
          message: role === 'assistant' ? await answerOf(session, original, content) : messageOf(role, content),
          fields: { editedFrom: original },
          ...(role !== 'assistant' && { said: { role, content } }),
          isActivated: takesOver(session, original, body.activate),
          mayWait: query.queue === true,
        },
      )
      const location = `/api/chat/${session.id}/node/${sent.body.node.id}`
      return { ...sent, version: sent.body.version, headers: { location } }
    }),
  )

function roleOf({ tree }: Session, nodeId: string): EditedRole {
  const ref = refOfNode(tree, nodeId)
  if (tree.columns.has(ref, Flag.generating)) {
    const message = `Node ${nodeId} is still being generated. Wait for it or cancel it.`
    throw new TreelineError('subtree_generating', message, { nodeIds: [nodeId] })
  }
  const role = ROLES.get(tree.columns.role[ref]!)
  if (role !== undefined) return role
  const message = `Node ${nodeId} is neither said nor answered: only messages can be put into other words.`
  throw new TreelineError('validation_failed', message, { nodeIds: [nodeId] })
}

function messageOf(role: EditedRole, content: Content): Readonly<Record<string, unknown>> {
  return { role, content, timestamp: Date.now() }
}

/** Who gave the answer is who is asked next, also after somebody has changed its words. */
async function answerOf(
  session: Session,
  nodeId: string,
  content: Content,
): Promise<Readonly<Record<string, unknown>>> {
  const { api, provider, model } = objectOr((await session.readEntry(nodeId))?.message)
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  if (blocks.some(({ type }) => type !== 'text')) {
    throw new TreelineError('validation_failed', 'An answer holds text. Leave the images out.')
  }
  const by = Object.fromEntries(Object.entries({ api, provider, model }).filter(([, value]) => value !== undefined))
  return { role: 'assistant', content: blocks, ...by, stopReason: 'stop', timestamp: Date.now() }
}
