import { TreelineError } from '@treeline/core'
import type { Routes } from '@treeline/protocol'
import type { ForkOptions } from '@treeline/store'
import type { Asking, Handler } from '../../http/handler.ts'
import { takePermissions } from './take-permissions.ts'

type Body = Asking<Routes['forkSession']>['body']

const HOW = { path: 'path', subtree: 'subtree', tree: 'whole' } as const

/** A new session out of some of this one, or of another tool's: how one goes on with what can only be read. */
export const forkSession: Handler<Routes['forkSession']> = ({ hub, store, list }, { params, body }) =>
  hub.use(params.sessionId, async ({ session: source }) => {
    const leftOut: string[] = []
    const options = { ...what(body), onLeftOut: ({ message }: TreelineError) => leftOut.push(message) }
    await using fork = await store.fork(source, options)
    leftOut.push(...(await takePermissions(fork)))
    list.note(fork.id)
    const headers = { location: `/api/chat/sessions/${fork.id}` }
    return { status: 201, version: fork.seq, headers, body: { sessionId: fork.id, version: fork.seq, leftOut } }
  })

/** `null` is where the conversation goes on. */
function what({ nodeId, scope, title }: Body): ForkOptions {
  if (scope === 'subtree' && nodeId === null) {
    throw new TreelineError('validation_failed', 'A subtree has a top: give its `nodeId`, or take the scope `tree`.')
  }
  return { how: HOW[scope], ...(nodeId !== null && scope !== 'tree' && { nodeId }), ...(title?.trim() && { title }) }
}
