import type { Session } from '@treeline/store'
import type { AgentEnv } from '../env.ts'
import { findTarget, refuseGenerating } from '../summary/target.ts'
import { type CompactionRequest, makeCompaction } from './make-compaction.ts'
import type { CompactionReport } from './report.ts'

export interface CompactOptions extends Omit<CompactionRequest, 'tipId'> {
  /** Where the branch to compact ends; the session's leaf by default. */
  readonly tipId?: string | null | undefined
  /** The leaf goes to the summary if it is here; at the tip by default. */
  readonly leafAt?: string | null | undefined
  /** Who may undo it without naming it. */
  readonly by?: string | undefined
}

/**
 * Puts a summary in the place of what came before it, as a node under the tip. What it covers stays in the tree: undo it,
 * mute it, go on from before it. One write, so that there is all of it or nothing. `undefined`: there was nothing to cover.
 *
 * @example
 * const report = await compact(env, session, { model, reason: 'manual', instructions: 'Keep the API names', signal })
 */
export async function compact(
  env: AgentEnv,
  session: Session,
  { tipId: wanted, leafAt, by, ...request }: CompactOptions,
): Promise<CompactionReport | undefined> {
  const tipId = wanted === undefined ? session.leafId : wanted
  if (tipId === null) return undefined
  // Before a model is asked: nothing can hang under what is gone, or under an answer that is not there yet.
  refuseGenerating(session.tree, findTarget(session.tree, tipId))
  const made = await makeCompaction(env, session, { ...request, tipId })
  if (made === undefined) return undefined
  await session.append(made.draft, {
    parentId: tipId,
    leaf: { ifAt: leafAt === undefined ? tipId : leafAt },
    undoable: { children: 'splice', by },
  })
  await tellHook(env, session, made.report, request.onNotice)
  return made.report
}

/** The summary is durable by now: a hook that throws takes nothing back. */
export async function tellHook(
  { hooks }: AgentEnv,
  session: Session,
  report: CompactionReport,
  onNotice: CompactionRequest['onNotice'],
): Promise<void> {
  try {
    await hooks.afterCompaction?.(session, report)
  } catch (error) {
    onNotice?.(error)
  }
}
