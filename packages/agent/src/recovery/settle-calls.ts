import { createHash } from 'node:crypto'
import { Flag, type ToolCallBlock } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { AgentEnv } from '../env.ts'
import { errorText, resultMessage, ToolCaller } from '../turn/run-calls.ts'
import { forgetRunning, noteRunning } from '../turn/running.ts'
import { appendOnce } from './append-once.ts'
import { findOpenCalls, type OpenCall } from './open-calls.ts'
import type { IsWorkedOn } from './worked-on.ts'

/** Which calls may run again: none, those of tools declared repeatable, or those the user has named. */
export type Rerun = 'never' | 'repeatable' | readonly string[]

export interface MarkedCall {
  readonly nodeId: string
  readonly toolCallId: string
  readonly name: string
  /** It was noted that it would run now: it may have done so, in part or wholly. */
  readonly wasStarted: boolean
  readonly outcome: 'marked' | 'rerun'
}

/** Gives every call on the active path that has no result one: of running it again, or one that says what happened. */
export async function settleCalls(
  env: AgentEnv,
  session: Session,
  isWorkedOn: IsWorkedOn,
  rerun: Rerun,
  signal: AbortSignal,
): Promise<{ readonly calls: MarkedCall[]; readonly runningIds: string[] }> {
  if (isGenerating(session)) return { calls: [], runningIds: [] }
  const open = await findOpenCalls(session)
  const running = open.filter(({ nodeId, writers }) => isWorkedOn(nodeId, ...writers))
  // Results follow each other: what is put here now would be beside those to come.
  if (running.length > 0) return { calls: [], runningIds: [...new Set(running.map(({ nodeId }) => nodeId))] }
  const nodeIds = new Set(open.map(({ nodeId }) => nodeId))
  for (const nodeId of nodeIds) noteRunning(session.id, nodeId)
  try {
    return { calls: await settle(env, session, open, rerun, signal), runningIds: [] }
  } finally {
    for (const nodeId of nodeIds) forgetRunning(session.id, nodeId)
  }
}

async function settle(
  env: AgentEnv,
  session: Session,
  open: readonly OpenCall[],
  rerun: Rerun,
  signal: AbortSignal,
): Promise<MarkedCall[]> {
  const caller = new ToolCaller(env, session, session.leafId, signal, () => {})
  const settled: MarkedCall[] = []
  const marked = new Map<string, number>()
  for (const { nodeId, toolCallId, name, input, wasStarted } of open) {
    const call: ToolCallBlock = { type: 'toolCall', id: toolCallId, name, arguments: asObject(input) }
    const isNamed = typeof rerun === 'object' && rerun.includes(toolCallId)
    const mayRun = isNamed || (rerun === 'repeatable' && isRepeatable(env, name))
    const hasRun = mayRun && !signal.aborted && (await caller.rerun(call, nodeId, isNamed))
    if (!hasRun) {
      const output = errorText(wasStarted ? STARTED : NOT_STARTED)
      const key = JSON.stringify([session.id, nodeId, toolCallId])
      const nth = (marked.get(key) ?? 0) + 1
      marked.set(key, nth)
      const id = resultId(key, nth)
      const message = resultMessage(call, output, env.clock.now())
      caller.tipId = (await appendOnce(session, { type: 'message', id, message }, caller.tipId)).endId
    }
    settled.push({ nodeId, toolCallId, name, wasStarted, outcome: hasRun ? 'rerun' : 'marked' })
  }
  return settled
}

const STARTED =
  'Interrupted: the process ended while this tool ran. It may have done all, a part or nothing of its work. Look before you call it again.'
const NOT_STARTED = 'Interrupted: the process ended before this tool ran. It has done nothing.'

/** The same for everybody who marks this call: of two processes that do so at once one writes the result. */
function resultId(call: string, nth: number): string {
  return createHash('sha256').update(`${call} ${nth}`).digest('hex').slice(0, 16)
}

function isGenerating({ tree, leafId }: Session): boolean {
  return leafId !== null && tree.columns.has(tree.ids.find(leafId), Flag.generating)
}

function isRepeatable({ tools }: AgentEnv, toolName: string): boolean {
  return tools.find(({ name }) => name === toolName)?.isRepeatable === true
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
