import { type EditPlan, planRedo, planUndo, ROOT, TreelineError, type UndoRequest } from '@treeline/core'
import type { EditResult, Routes } from '@treeline/protocol'
import type { Session } from '@treeline/store'
import type { Asking, Handler } from '../../http/handler.ts'
import type { Generations } from '../../hub/generations.ts'
import type { LiveSession } from '../../hub/live-session.ts'
import { refuseUnasked } from '../refuse-unasked.ts'
import { cancelAnswers } from './cancel-answers.ts'
import { commitFor } from './edit-for.ts'
import { readResult } from './edit-result.ts'
import { readKnownEdit } from './known-edit.ts'
import { refuseLinear } from './linear-mode.ts'

type UndoAsking = Pick<Asking<Routes['undo']>, 'body' | 'actor' | 'cause'>
/** Takes back an edit by its id, or the latest undo. */
type What = { readonly editId: string } | 'latest edit' | 'latest undo'

/** Takes back the edit that is named, or one's own latest. */
export const undo: Handler<Routes['undo']> = ({ hub, generations }, asking) =>
  hub.use(asking.params.sessionId, async (live) => {
    const { opId } = asking.body
    const body = await takeBack(live, generations, asking, opId === undefined ? 'latest edit' : { editId: opId })
    return { status: 200, version: body.version, body }
  })

/** Takes back an undo: one's own latest, or that of the edit that is named. */
export const redo: Handler<Routes['redo']> = ({ hub, generations }, asking) =>
  hub.use(asking.params.sessionId, async (live) => {
    const { opId } = asking.body
    const what = opId === undefined ? 'latest undo' : { editId: findUndo(live.session, opId) }
    const body = await takeBack(live, generations, asking, what)
    return { status: 200, version: body.version, body }
  })

/** By its own id, or by that of what it took back. */
function findUndo({ tree }: Session, opId: string): string {
  const record = tree.edits.recordById.get(opId)
  if (record === undefined || record.undoes !== undefined) return opId
  if (record.undoneBy !== undefined) return record.undoneBy.id
  throw new TreelineError('nothing_to_undo', `Edit ${opId} is not undone, so there is nothing to redo.`)
}

async function takeBack(
  live: LiveSession,
  generations: Generations,
  asking: UndoAsking,
  what: What,
): Promise<EditResult> {
  const { session } = live
  try {
    const plan = await commitFor(live, asking, (id) => commit(session, asking, what, id))
    const warnings = [...plan.warnings, ...cancelAnswers(generations, session.id, plan.cancelIds)]
    return await readResult(session, { ...plan, warnings }, plan.entry?.id ?? null)
  } catch (error) {
    const isDone = error instanceof TreelineError && error.code === 'nothing_to_undo' && typeof what === 'object'
    const doneBy = isDone ? session.tree.edits.recordById.get(what.editId)?.undoneBy : undefined
    // One that is named and was taken back already stays so: a retry is no error (D3).
    if (doneBy !== undefined) return readKnownEdit(session, doneBy)
    throw error
  }
}

async function commit(session: Session, { actor, body }: UndoAsking, what: What, id: string): Promise<EditPlan> {
  const { baseVersion } = body
  const request = { id, by: actor.name, ...(baseVersion !== undefined && { baseVersion }) }
  await session.refresh()
  const { operations } = planned(session, what, request)
  refuseUnasked(operations)
  refuseLinear(session.tree, operations)
  if (what === 'latest undo') return session.redo(request)
  return session.undo({ ...request, ...(what !== 'latest edit' && what) })
}

/** What it would do, for who may not do everything. */
function planned({ tree, leafId }: Session, what: What, request: UndoRequest): EditPlan {
  const leaf = leafId === null ? ROOT : tree.ids.find(leafId)
  if (what === 'latest undo') return planRedo(tree, leaf, request)
  return planUndo(tree, leaf, { ...request, ...(what !== 'latest edit' && what) })
}
