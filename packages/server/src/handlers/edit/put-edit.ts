import { type EditPlan, TreelineError } from '@treeline/core'
import type { EditResult, Routes } from '@treeline/protocol'
import type { Asking, Handler } from '../../http/handler.ts'
import type { Generations } from '../../hub/generations.ts'
import type { LiveSession } from '../../hub/live-session.ts'
import type { Services } from '../../services.ts'
import { type ReadOps, readEditOps } from '../../wire/read-edit-op.ts'
import { cancelAnswers } from './cancel-answers.ts'
import { dryRun } from './dry-run.ts'
import { editFor } from './edit-for.ts'
import { readResult } from './edit-result.ts'
import { digestOf, findKnownEdit } from './known-edit.ts'
import { refuseLinear } from './linear-mode.ts'
import { toRefusal } from './refusal.ts'

type EditAsking = Pick<Asking<Routes['putEdit']>, 'params' | 'body' | 'actor' | 'cause'>

/** One edit of any number of operations: all or none, in one line (D4). */
export const putEdit: Handler<Routes['putEdit']> = (services, asking) => answer(services, asking)
export const postEdit: Handler<Routes['postEdit']> = (services, asking) => answer(services, asking)

async function answer({ hub, limits, generations }: Services, asking: EditAsking) {
  const max = limits.operationsPerEdit
  if (asking.body.operations.length > max) {
    throw new TreelineError('validation_failed', `One edit has at most ${max} operations. Send several.`)
  }
  return hub.use(asking.params.sessionId, async (live) => {
    const body = await edit(live, asking, generations)
    return { status: 200, version: body.version, body } as const
  })
}

async function edit(live: LiveSession, asking: EditAsking, generations: Generations): Promise<EditResult> {
  const { session } = live
  const { opId, operations: ops } = asking.body
  const own = opId === undefined ? undefined : { id: opId, asked: digestOf(ops) }
  const known = own && (await findKnownEdit(session, own.id, own.asked))
  if (known !== undefined) return known
  const read = readEditOps(session.tree, ops)
  if (asking.body.dryRun) return tryOut(live, asking, read)
  let plan: EditPlan
  try {
    plan = await editFor(live, asking, { ...read, baseVersion: asking.body.baseVersion, own })
  } catch (error) {
    // The same request, sent twice at once: the other one was first.
    const isTaken = own !== undefined && error instanceof TreelineError && error.code === 'id_in_use'
    const twin = isTaken ? await findKnownEdit(session, own.id, own.asked) : undefined
    if (twin !== undefined) return twin
    throw error
  }
  const warnings = [...plan.warnings, ...cancelAnswers(generations, session.id, plan.cancelIds)]
  return readResult(session, { ...plan, warnings }, plan.entry?.id ?? null)
}

async function tryOut({ session }: LiveSession, { body, actor }: EditAsking, read: ReadOps): Promise<EditResult> {
  const { operations, indexOf } = read
  const { baseVersion } = body
  try {
    refuseLinear(session.tree, operations)
    return await dryRun(session, {
      operations,
      by: actor.name,
      ...(baseVersion !== undefined && { baseVersion }),
    })
  } catch (error) {
    throw toRefusal(session, error, indexOf)
  }
}
