import { isDeepStrictEqual } from 'node:util'
import { type EditRequestOp, ROOT, TreelineError } from '@treeline/core'
import type { Routes } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import type { Handler } from '../../http/handler.ts'
import type { Services } from '../../services.ts'
import { toTreeHead } from '../../wire/tree-head.ts'
import { sessionOperations } from './session-edit.ts'

/** Begins a session with everything that is said of it, or none at all. Asked for again it is the same one (D3). */
export const createSession: Handler<Routes['createSession']> = async (services, { body }) => {
  const { sessionId, title, ...rest } = body
  const name = title?.trim() || undefined
  const operations = sessionOperations(rest)
  const id = await create(services, { id: sessionId, title: name, operations })
  services.list.note(id)
  return services.hub.use(id, async ({ session }) => {
    const head = toTreeHead(session, { fragments: [], nextCursor: null })
    const headers = { location: `/api/chat/sessions/${id}` }
    return { status: 201, version: head.version, headers, body: { ...head, nodes: {} } }
  })
}

interface Wanted {
  readonly id: string | undefined
  readonly title: string | undefined
  readonly operations: readonly EditRequestOp[]
}

async function create({ store, agent, hub }: Services, wanted: Wanted): Promise<string> {
  try {
    const onLeftOut = (problem: TreelineError) => {
      throw problem
    }
    // Opened anew by whoever wants it: somebody may have asked for it by its id meanwhile.
    await using session = await store.create({ ...wanted, cwd: agent.env.cwd, onLeftOut })
    return session.id
  } catch (error) {
    const isTaken = error instanceof TreelineError && error.code === 'id_in_use' && wanted.id !== undefined
    if (isTaken && (await hub.use(wanted.id!, async ({ session }) => isSame(session, wanted)))) return wanted.id!
    throw error
  }
}

/** Whether it is what was asked for and nothing more: a session in which something was said is another one. */
function isSame({ tree, name }: Session, { title, operations }: Wanted): boolean {
  const { session, config } = tree.edits
  const said = (name: 'session' | 'config') =>
    Object.fromEntries(operations.flatMap((op) => (op.op === name ? Object.entries(op.patch) : [])))
  return (
    tree.rowCount <= 1 &&
    tree.columns.children(ROOT).length === 0 &&
    name === title &&
    isDeepStrictEqual(Object.fromEntries(session), said('session')) &&
    isDeepStrictEqual(Object.fromEntries(config), said('config'))
  )
}
