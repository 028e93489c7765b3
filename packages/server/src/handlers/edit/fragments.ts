import { Flag, ROOT, type Tree, TreelineError } from '@treeline/core'
import type { Routes } from '@treeline/protocol'
import { mayDo } from '../../guard/actor.ts'
import type { Handler } from '../../http/handler.ts'
import { fragmentsAmong } from '../../wire/pruned-fragments.ts'
import { withBodies } from '../../wire/with-bodies.ts'
import { changingOps } from './changing-ops.ts'
import { editFor } from './edit-for.ts'

/** Gives a fragment a title; an empty one takes it away. */
export const patchFragment: Handler<Routes['patchFragment']> = ({ hub }, { params, body, actor, cause }) =>
  hub.use(params.sessionId, async (live) => {
    const { fragmentId } = params
    const { session } = live
    const ref = findFragment(session.tree, fragmentId)
    const patch = { stashTitle: body.title.trim() || null }
    const operations = changingOps(session.tree, [{ op: 'meta', nodeId: fragmentId, patch }])
    if (operations.length > 0) await editFor(live, { actor, cause }, { operations })
    const { fragment, version } = await withBodies(
      session,
      () => [fragmentId],
      (tree, bodyOf) => ({ fragment: fragmentsAmong(tree, [ref], bodyOf)[0], version: session.seq }),
    )
    // Somebody has grafted or deleted it since.
    if (fragment === undefined) throw notInStash(fragmentId)
    return { status: 200, version, body: fragment }
  })

/** Deletes a fragment so that it can be restored. One that is deleted already stays so: a retry is no error (D3). */
export const deleteFragment: Handler<Routes['deleteFragment']> = ({ hub }, { params, query, actor, cause }) =>
  hub.use(params.sessionId, async (live) => {
    const { fragmentId } = params
    const { session } = live
    if (query.purge) {
      if (!mayDo(actor, 'admin'))
        throw new TreelineError('forbidden', 'To purge, a token of the scope admin is needed.')
      throw cannotPurge(fragmentId)
    }
    if (!isDeleted(session.tree, fragmentId)) {
      findFragment(session.tree, fragmentId)
      const operations = [{ op: 'delete', nodeIds: [fragmentId] }] as const
      await editFor(live, { actor, cause }, { operations })
    }
    const { tree, seq: version } = session
    const deletedIds = [...tree.columns.subtree(tree.ids.find(fragmentId))].map((ref) => tree.ids.textOf(ref))
    return { status: 200, version, body: { version, deletedIds } }
  })

function findFragment({ ids, edits }: Tree, fragmentId: string): number {
  const ref = ids.find(fragmentId)
  if (ref > ROOT && edits.fragments.has(ref)) return ref
  throw notInStash(fragmentId)
}

function isDeleted({ ids, columns, edits }: Tree, fragmentId: string): boolean {
  const ref = ids.find(fragmentId)
  return ref > ROOT && columns.has(ref, Flag.deleted) && edits.deleted.get(ref)?.fragment !== undefined
}

function notInStash(fragmentId: string): TreelineError {
  return new TreelineError('fragment_not_found', `There is no fragment ${fragmentId} in the stash.`, {
    nodeIds: [fragmentId],
  })
}

/** Lines are never taken out of a log while it is used: what was said in a fragment is in it as long as the log is. */
function cannotPurge(fragmentId: string): TreelineError {
  const message =
    `Fragment ${fragmentId} cannot be purged by itself: a session's log only grows. Without "purge" it is deleted and ` +
    'can be restored. To remove a text for good wherever it stands, run `treeline scrub` on the machine of the server; ' +
    'to remove the whole session, DELETE it with purge=true.'
  return new TreelineError('validation_failed', message, { nodeIds: [fragmentId] })
}
