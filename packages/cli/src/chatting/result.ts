import type { TurnEvent } from '@treeline/agent'
import { type ErrorCode, TreelineError, textOf, type Usage } from '@treeline/core'
import type { Session } from '@treeline/store'
import type { TellTurn } from './tell-turn.ts'

/** What came of a turn. */
export interface TurnResult {
  readonly model: string | null
  readonly reason: Extract<TurnEvent, { type: 'ended' }>['reason']
  /** What the last answer says. */
  readonly text: string
  readonly leafId: string | null
  /** Answers, in order. */
  readonly nodeIds: readonly string[]
  readonly usage: Usage | null
  /** US dollars, as far as prices are known. */
  readonly cost: number
  readonly tools: readonly { readonly name: string; readonly isError: boolean }[]
  readonly error: { readonly code: ErrorCode; readonly message: string } | null
}

const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** Follows a turn to its end. */
export async function readResult(
  session: Session,
  tell: TellTurn,
  events: AsyncIterable<TurnEvent>,
): Promise<TurnResult> {
  const nodeIds: string[] = []
  const tools: TurnResult['tools'][number][] = []
  let model: string | null = null
  let usage: Usage | null = null
  let cost = 0
  let error: TurnResult['error'] = null
  let end: Extract<TurnEvent, { type: 'ended' }> | undefined
  for await (const event of events) {
    tell.event(event)
    if (event.type === 'started') model = event.model
    if (event.type === 'finished') {
      nodeIds.push(event.nodeId)
      usage = sum(usage ?? NO_USAGE, event.usage ?? NO_USAGE)
      cost += event.usage?.cost?.total ?? 0
      error = null
    }
    if (event.type === 'failed' || event.type === 'notice') error = { code: event.code, message: event.message }
    if (event.type === 'tool_done') tools.push({ name: event.name, isError: event.isError })
    if (event.type === 'ended') end = event
  }
  const last = nodeIds.at(-1)
  const entry = last === undefined ? undefined : await session.readEntry(last)
  const { reason = 'failed', leafId = null } = end ?? {}
  const text = entry === undefined ? '' : textOf(entry)
  return { model, reason, text, leafId, nodeIds, usage, cost, tools, error: reason === 'stop' ? null : error }
}

function sum(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  }
}

/** By the table of errors, so that a script can tell a missing key from a refusal. */
export function exitCodeOf({ reason, error }: TurnResult): number {
  switch (reason) {
    case 'stop':
      return 0
    case 'cancelled':
      return 130
    case 'denied':
      return new TreelineError('forbidden', '').exitCode
    default:
      return error === null ? 1 : new TreelineError(error.code, error.message).exitCode
  }
}
