import { TreelineError } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { AgentEnv } from '../env.ts'
import { clearPartials } from './clear-partials.ts'
import { closeCommands, findTyped, lastNode } from './close-commands.ts'
import { type ClosedAnswer, closeInterrupted, listGenerating, readAnnounced } from './close-interrupted.ts'
import { findOpenCalls } from './open-calls.ts'
import { type MarkedCall, type Rerun, settleCalls } from './settle-calls.ts'
import { type IsWorkedOn, workedOnIn } from './worked-on.ts'

export interface RecoveryOptions {
  /**
   * What is done about tools that a crash cut off. `never`, the default: they are marked as interrupted, and the model is
   * told. `repeatable`: those declared so run again, unless the user would have to be asked. A list: the user has said that
   * these calls may run again.
   */
  readonly rerun?: Rerun | undefined
  readonly signal?: AbortSignal | undefined
}

export interface RecoveryReport {
  /** Answers that were being generated when their process ended: now failed nodes with the text that was kept. */
  readonly closed: readonly ClosedAnswer[]
  /** Commands of the user's on the active path that were cut off: now nodes that say so. */
  readonly commandIds: readonly string[]
  /** Calls on the active path that had no result. */
  readonly calls: readonly MarkedCall[]
  /** Answers, also those whose tools run, and commands that a living process works on: left alone. */
  readonly runningIds: readonly string[]
  /** Kept text of answers that the log knows nothing of: left where it is. */
  readonly strayIds: readonly string[]
  /** What could not be put in order, and why. The rest was. */
  readonly problems: readonly TreelineError[]
}

/**
 * Puts a session in order after a crash, so that it can go on (P16–P18, X65–X67). Answers are closed on every branch;
 * tools and commands are looked at on the active path only, and nothing runs unless it is allowed to. The conversation
 * stays where it is. Where nothing is amiss nothing is written. Throws when the log takes nothing more.
 */
export async function recover(
  env: AgentEnv,
  session: Session,
  { rerun = 'never', signal = new AbortController().signal }: RecoveryOptions = {},
): Promise<RecoveryReport> {
  await session.refresh()
  const problems: TreelineError[] = []
  const isWorkedOn = workedOnIn(session, problems)
  if (session.access.mode === 'read') return look(session, isWorkedOn, problems)
  const startId = lastNode(session)
  const typed = await findTyped(session)
  const answers = await closeInterrupted(session, isWorkedOn, problems)
  // Results first: they belong behind their calls.
  const tools = await settleCalls(env, session, isWorkedOn, rerun, signal)
  const commands = await closeCommands(session, typed, startId, isWorkedOn)
  return {
    closed: answers.closed,
    commandIds: commands.commandIds,
    calls: tools.calls,
    runningIds: [...answers.runningIds, ...commands.runningIds, ...tools.runningIds],
    strayIds: await clearPartials(session, problems),
    problems,
  }
}

/** Of a session that cannot be written to: says what is left as it is. */
async function look(session: Session, isWorkedOn: IsWorkedOn, problems: TreelineError[]): Promise<RecoveryReport> {
  const generating = listGenerating(session.tree)
  const runningIds: string[] = []
  for (const nodeId of generating) {
    const { writer } = await readAnnounced(session, nodeId)
    if (isWorkedOn(nodeId, writer)) runningIds.push(nodeId)
  }
  const left = {
    answers: generating.length - runningIds.length,
    calls: (await findOpenCalls(session)).filter(({ nodeId, writers }) => !isWorkedOn(nodeId, ...writers)).length,
    commands: (await findTyped(session)).filter(({ nodeId, writer }) => !isWorkedOn(nodeId, writer)).length,
  }
  if (left.answers + left.calls + left.commands > 0) {
    const message =
      `Session ${session.id} is read-only here and stays as it is: ${left.answers} interrupted answers, ` +
      `${left.calls} tool calls without a result, ${left.commands} interrupted commands. Fork it to go on.`
    problems.push(new TreelineError('forbidden', message))
  }
  return { closed: [], commandIds: [], calls: [], runningIds, strayIds: [], problems }
}
